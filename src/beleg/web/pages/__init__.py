"""The pages: each module holds the routes of one of them."""
