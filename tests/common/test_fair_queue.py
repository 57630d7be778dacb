"""The queue that serves clients in turn: order, limits, and that nobody starves, on a simulated clock."""

import heapq
from collections import defaultdict
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from services.common.fair_queue import Bounds, FairQueue, Waiting

HOSTILE = "hostile"


@dataclass
class Simulation:
    """A queue whose work takes simulated time equal to its cost (`work`)."""

    queue: FairQueue[float]
    ended: dict[int, float] = field(default_factory=dict)
    """The end time of each piece of work, by its index of arrival."""

    def run(self, arrivals: list[tuple[float, Waiting[float]]]) -> None:
        names = {id(waiting): number for number, (_, waiting) in enumerate(arrivals)}
        pending = [(time, number, waiting) for number, (time, waiting) in enumerate(arrivals)]
        running: list[tuple[float, int, Waiting[float]]] = []
        heapq.heapify(pending)
        while pending or running:
            ends_first = running and (not pending or running[0][0] <= pending[0][0])
            now, number, waiting = heapq.heappop(running if ends_first else pending)
            if ends_first:
                self.queue.end(waiting, waiting.work)
                self.ended[number] = now
            else:
                self.queue.put(waiting)
            while (begun := self.queue.take()) is not None:
                heapq.heappush(running, (now + begun.work, names[id(begun)], begun))


def latencies(places: int, schedule: list[tuple[float, str]], *, hostile: int) -> list[float]:
    """Return the latency of each piece of honest work that arrives after a backlog of hostile work."""
    simulation = Simulation(FairQueue(Bounds(places)))
    honest = [(time, Waiting(1.0, asker)) for time, asker in schedule]
    simulation.run(honest + [(0.0, Waiting(1.0, HOSTILE)) for _ in range(hostile)])
    return [simulation.ended[number] - time for number, (time, _) in enumerate(honest)]


schedules = st.lists(
    st.tuples(st.integers(0, 30).map(float), st.sampled_from(["anna", "bruno", "carla"])), min_size=1, max_size=12
)


@given(st.integers(1, 3), schedules)
def test_beside_a_hostile_asker_the_work_of_everybody_takes_at_most_twice_as_long_and_a_piece_of_each_asker(
    places: int, schedule: list[tuple[float, str]]
) -> None:
    quiet = latencies(places, schedule, hostile=0)
    beside = latencies(places, schedule, hostile=200)
    first = {asker: min(time for time, other in schedule if other == asker) for _, asker in schedule}
    for before, now, (time, asker) in zip(quiet, beside, schedule, strict=True):
        since = time - first[asker]
        assert since + now <= 2 * (since + before) + len(first)


@given(st.integers(1, 3), st.lists(st.sampled_from(["anna", "bruno", "carla"]), unique=True, min_size=1))
def test_work_of_an_idle_asker_takes_at_most_twice_its_quiet_time(places: int, askers: list[str]) -> None:
    schedule = [(5.5, asker) for asker in askers]
    quiet = latencies(places, schedule, hostile=0)
    beside = latencies(places, schedule, hostile=200)
    assert all(now <= 2 * before for now, before in zip(beside, quiet, strict=True)), (quiet, beside)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.1, 5)), min_size=1, max_size=60))
def test_askers_with_endless_work_get_equal_shares_whatever_a_piece_costs(work: list[tuple[str, float]]) -> None:
    queue = FairQueue[float](Bounds(1))
    for asker, cost in work:
        queue.put(Waiting(cost, asker))
    used: defaultdict[str, float] = defaultdict(float)
    longest = max(cost for _, cost in work)
    while (begun := queue.take()) is not None:
        still_waiting = {str(waiting.asker) for waiting in queue.waiting()} | {str(begun.asker)}
        assert (
            max((used[asker] for asker in still_waiting), default=0) - min(used[asker] for asker in still_waiting)
            <= longest + 1e-9
        )
        used[str(begun.asker)] += begun.work
        queue.end(begun, begun.work)
    assert sum(used.values()) > 0


def taken(queue: FairQueue[str]) -> list[str]:
    """Return all work in the order in which it begins. Each piece has a cost of 1."""
    order = []
    while (begun := queue.take()) is not None:
        order.append(begun.work)
        queue.end(begun, 1)
    return order


def test_the_lowest_rank_of_an_asker_comes_first_and_equals_in_the_order_of_arrival() -> None:
    queue = FairQueue[str](Bounds(1))
    for work, rank in (("late", 1), ("urgent", 0), ("later", 1)):
        queue.put(Waiting(work, "anna", rank=rank))
    assert taken(queue) == ["urgent", "late", "later"]


def test_rank_counts_between_askers_until_one_is_ahead_of_the_others() -> None:
    queue = FairQueue[str](Bounds(1, head_start=2))
    for number in range(5):
        queue.put(Waiting(f"hand {number}", HOSTILE))
    queue.put(Waiting("answer", "anna", rank=1))
    assert taken(queue) == ["hand 0", "hand 1", "hand 2", "answer", "hand 3", "hand 4"]


def test_a_target_that_is_full_delays_no_other_target() -> None:
    queue = FairQueue[str](Bounds(4, target_places=lambda _: 1))
    for work, target in (("slow 1", "slow"), ("slow 2", "slow"), ("quick", "quick"), ("free", None)):
        queue.put(Waiting(work, "anna", target))
    begun = [waiting.work for waiting in iter(queue.take, None)]
    assert begun == ["slow 1", "quick", "free"]


def test_an_asker_has_at_most_their_places() -> None:
    queue = FairQueue[str](Bounds(3, asker_places=1))
    for work, asker in (("a", "anna"), ("b", "anna"), ("c", "bruno")):
        queue.put(Waiting(work, asker))
    first = queue.take()
    second = queue.take()
    assert first is not None
    assert second is not None
    assert (first.work, second.work) == ("a", "c")
    assert queue.take() is None
    queue.end(first, 1)
    assert [waiting.work for waiting in iter(queue.take, None)] == ["b"]


def test_what_waits_for_one_target_is_bounded_and_the_oldest_gives_way_where_that_is_said() -> None:
    queue = FairQueue[str](Bounds(1, target_waiting=2, drops="oldest"))
    dropped = [queue.put(Waiting(work, "anna", "phone")) for work in ("old", "new", "newest")]
    assert [waiting and waiting.work for waiting in dropped] == [None, None, "old"]
    assert taken(queue) == ["new", "newest"]


def test_beyond_all_bounds_the_work_of_who_has_most_waiting_gives_way() -> None:
    queue = FairQueue[str](Bounds(1, waiting=3))
    for number in range(3):
        queue.put(Waiting(f"hostile {number}", HOSTILE))
    dropped = queue.put(Waiting("anna", "anna"))
    assert dropped is not None
    assert dropped.work == "hostile 2"
    assert "anna" in taken(queue)


def test_a_pause_saves_up_no_turns() -> None:
    queue = FairQueue[str](Bounds(1))
    for number in range(8):
        queue.put(Waiting(f"busy {number}", "busy"))
    for _ in range(4):
        begun = queue.take()
        assert begun is not None
        queue.end(begun, 1)
    for number in range(4):
        queue.put(Waiting(f"fresh {number}", "fresh"))
    order = taken(queue)
    assert [work.split()[0] for work in order[:4]] == ["fresh", "busy", "fresh", "busy"]


def test_work_that_waits_for_a_time_begins_then_and_keeps_its_place() -> None:
    queue = FairQueue[str](Bounds(1))
    queue.put(Waiting("first", "anna"), 5.0)
    queue.put(Waiting("second", "anna"))
    assert (queue.next_time(), len(queue)) == (5.0, 2)
    second = queue.take(4.9)
    assert second is not None
    assert second.work == "second"
    queue.end(second, 0.0)
    queue.put(second)
    begun = queue.take(5.0)
    assert begun is not None
    assert (begun.work, queue.next_time()) == ("first", None)


def test_work_that_could_not_begin_and_is_put_again_comes_before_what_came_later() -> None:
    queue = FairQueue[str](Bounds(1))
    for work in ("first", "second"):
        queue.put(Waiting(work, "anna"))
    first = queue.take()
    assert first is not None
    queue.end(first, 0.0)
    queue.put(first, 3.0)
    assert taken(queue) == ["first", "second"]


def test_work_that_is_taken_back_does_not_begin_at_its_time() -> None:
    queue = FairQueue[str](Bounds(1))
    waiting = Waiting("late", "anna")
    queue.put(waiting, 5.0)
    assert waiting in queue
    queue.remove(waiting)
    assert (queue.take(9.0), queue.next_time(), len(queue)) == (None, None, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.integers(0, 2)), max_size=30))
def test_nothing_begins_before_its_time_and_everything_begins(work: list[tuple[str, int, int]]) -> None:
    queue = FairQueue[int](Bounds(2, head_start=3))
    for asker, time, rank in work:
        queue.put(Waiting(time, asker, rank=rank), float(time))
    begun: list[int] = []
    now: float | None = 0.0
    while now is not None:
        while (waiting := queue.take(now)) is not None:
            assert waiting.work <= now
            begun.append(waiting.work)
            queue.end(waiting, 1)
        now = queue.next_time()
    assert sorted(begun) == sorted(time for _, time, _ in work)
