"""The waiting parts, as coroutines. `write_blocking.py` derives `jobgate.blocking` from them."""
