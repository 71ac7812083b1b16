"""The catalogue of metrics and their columnar kernels."""
