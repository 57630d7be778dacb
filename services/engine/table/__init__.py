"""Seats, hosts, absences and clocks of a table, from open to playing to over. Pure.

Each transition takes a table and returns a `Step`: the next table, whose `events` say what happened, and the lines for
the deal's log. It raises `TableError` and leaves the table as it was where the house forbids it. Times are epoch
milliseconds; randomness comes in as arguments.
"""
