"""A second implementation of a season's table: it reads the stored record, and shares no code with the bot.

Standard input: the points of the places, the beginning and the end of the season (Unix seconds), then a line for each
stored match, such as `1764190000 game 11>12=14+15>13`. Standard output: person, points, wins, matches, best first.
"""

import sys

worth = [int(points_text) for points_text in sys.stdin.readline().split()]
begin, end = (float(time_text) for time_text in sys.stdin.readline().split())
people: dict[str, list[int]] = {}
for line in sys.stdin:
    when, _, order = line.split()
    if begin <= float(when) < end:
        ahead = 0
        for rank in order.split(">"):
            names = rank.replace("=", "+").split("+")
            for name in names:
                row = people.setdefault(name, [0, 0, 0])
                row[0] += worth[ahead] if ahead < len(worth) else 0
                row[1] += ahead == 0
                row[2] += 1
            ahead += len(names)
for name in sorted(people, key=lambda person: (-people[person][0], -people[person][1], people[person][2], int(person))):
    print(name, *people[name])
