"""The same as the pages for programs: JSON over the same services, described by an OpenAPI document."""
