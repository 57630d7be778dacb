"""Tables as pure functions: seats, host, absences, deadlines and matches, from open to playing to over.

Each function that changes a table returns a `Transition`: the next table, whose `events` say what happened, and entries
for the deal's log. It raises `TableError` if the action is not allowed. Times are epoch milliseconds; random values are
arguments.
"""
