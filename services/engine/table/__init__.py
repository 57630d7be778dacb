"""Tables as pure functions: seats, hosts, absences, deadlines and matches; from open to playing to over.

Each function that changes a table returns a `Transition`: the next table, whose `events` list what happened, and
entries for the deal's log. It raises `TableError` if the rules of tables forbid it. Times are epoch milliseconds;
random values come in as arguments.
"""
