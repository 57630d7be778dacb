"""Names at a table: as the engine takes them, and no two alike."""

LONGEST_NAME = 32


def tidy(name: str) -> str:
    """Return a person's name as the engine takes it: printable, on one line, not too long."""
    printable = "".join(sign for sign in name if sign.isprintable() and not "\u2066" <= sign <= "\u2069")
    return " ".join(printable.split())[:LONGEST_NAME].strip() or "?"


def unlike(name: str, others: list[str]) -> str:
    """Return the name, numbered where another at the table bears the same."""
    number, found = 1, name
    while found in others:
        number += 1
        found = f"{name[: LONGEST_NAME - 3]} {number}"
    return found
