"""How the tables of the workbench state came to be, one step per revision."""
