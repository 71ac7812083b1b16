"""Run files and judgement files: evaluate, compare, fuse, pool, and measure indexes."""
