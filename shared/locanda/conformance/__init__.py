"""`locanda-check`: tries whether a server does what the API promises, be it an engine of Locanda or another one.

What rules, shuffles and refusals come to is compared with stored play-throughs (`playthroughs.py`), matches at tables
with the rules of this package.
"""
