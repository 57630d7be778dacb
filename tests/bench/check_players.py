"""Check the computer players' guarantees: `make check-players [CHECK='--reasons 10000 --games ramino']`.

Deals end, imagined deals do not contradict known facts, reasons for moves are true, reviews list real mistakes, and
reviews praise the play of `hard` rather than random play. Listed mistakes do not decide the exit code, as they are a
matter of degree: nine of ten should be confirmed. A check with a count of 0 is skipped.
"""

import argparse
import sys

from locanda.games.registry import GAME_NAMES
from locanda.games.rules import GAMES
from tests.bench import deals, imagined, reasons, reviews
from tests.bench.player_comparisons import SEATS


def main() -> bool:
    """Run the checks that the command line asks for. Return whether all required ones passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(GAME_NAMES), help="their names, with commas")
    parser.add_argument("--deals", type=int, default=10_000, help="of all games together")
    parser.add_argument("--imagined", type=int, default=100_000, help="hidden deals of all games together")
    parser.add_argument("--reasons", type=int, default=1000, help="of each game and level")
    parser.add_argument("--reviews", type=int, default=5, help="deals of each game whose mistakes are priced again")
    parser.add_argument("--praised", type=int, default=20, help="deals of each game and player that may be praised")
    args = parser.parse_args()
    names = args.games.split(",")
    sound = True
    for name in names:
        if args.deals:
            deals.main(name, args.deals // len(names))
        if args.imagined:
            sound &= imagined.check(name, args.imagined // len(names))
    if args.reasons:
        sound &= reasons.check(names, args.reasons)
    for name in names:
        game, seats = GAMES[name], SEATS.get(name, 2)
        if args.reviews:
            print(f"{name}, medium: {reviews.reviewed(game, 'medium', args.reviews, seats)}", flush=True)
        if args.praised:
            sound &= reviews.check_praise(game, args.praised, seats)
    return sound


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
