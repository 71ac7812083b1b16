"""What was found: ranked metrics, evidence, filters, the waterfall."""
