"""The waiting parts, as functions."""
