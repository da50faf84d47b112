"""The parts that wait, as coroutines. `write_blocking.py` makes `jobgate.blocking` of them."""
