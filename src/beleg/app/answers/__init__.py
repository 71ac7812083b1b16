"""Analyses of answers that are not one score a row: positions, calibration, consistency, abstention, compression."""
