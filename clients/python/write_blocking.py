"""
Generates `jobgate.blocking` from `jobgate.asynchronous`, with functions in place of coroutines. With `--check` it
writes nothing, and exits with 1 when something would change. The files in BY_HAND are written by hand in both.
"""

import re
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "src" / "jobgate"
BY_HAND = ("__init__.py", "time.py", "pulling.py")
REPLACED = (
    (r"AsyncGenerator\[(\w+), None\]", r"Generator[\1, None, None]"),
    (r"Awaitable\[(\w+)\]", r"\1"),
    (r"Awaitable, ", ""),
    (r"async (def|with|for) ", r"\1 "),
    (r"await ", ""),
    (r"Async([A-Z])", r"\1"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|read|iter_bytes)\b", r"\1"),
)


def blocking(text: str) -> str:
    for pattern, replacement in REPLACED:
        text = re.sub(pattern, replacement, text)
    return f"# Written by write_blocking.py from the file of this name in `asynchronous`.\n{text}"


def main() -> int:
    changed = []
    for source in sorted((SOURCES / "asynchronous").glob("*.py")):
        target = SOURCES / "blocking" / source.name
        text = blocking(source.read_text("utf-8"))
        if source.name in BY_HAND or (target.exists() and target.read_text("utf-8") == text):
            continue
        changed.append(source.name)
        if "--check" not in sys.argv:
            target.write_text(text, "utf-8")
    print("\n".join(changed) if changed else "Nothing changes")
    return 1 if changed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
