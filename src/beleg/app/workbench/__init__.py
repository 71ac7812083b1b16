"""What people look at in the browser: views of the stored records of one project, and nothing that is not stored."""
