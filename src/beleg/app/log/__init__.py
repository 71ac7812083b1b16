"""The decision log: entering documents, signing its state, proving and verifying."""
