"""The parts that wait, as functions."""
