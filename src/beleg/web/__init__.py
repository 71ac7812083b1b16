"""The workbench in the browser: plain pages that work without JavaScript, over the services of `beleg.app`."""
