"""What is written fits, and nobody else steers the terminal."""

from io import StringIO

from rich.cells import cell_len

from services.terminal.paper import Paper


def written(paper_width: int = 80) -> tuple[Paper, StringIO]:
    file = StringIO()
    return Paper(file, echoes=False), file


def test_names_and_answers_cannot_steer_the_terminal() -> None:
    paper, file = written()
    evil = "An\x1b[2Jna\x9b31m\r\x07"
    paper.say(evil)
    paper.lines([evil])
    paper.items([evil])
    paper.rows([(evil, evil)])
    paper.choices([evil])
    paper.title(evil)
    paper.command(evil)
    paper.markdown(f"# {evil}")
    assert not {"\x1b", "\x9b", "\r", "\x07"} & set(file.getvalue())


def test_a_long_list_stands_in_columns_that_fit() -> None:
    paper, file = written()
    paper.choices([f"🦉 XV, 🏹 XIIII, {number}" for number in range(30)])
    lines = file.getvalue().splitlines()
    assert len(lines) < 30
    assert max(map(cell_len, lines)) <= 80
    assert lines[0].startswith("  1) ")


def test_a_long_line_is_wrapped_under_its_own_column() -> None:
    paper, file = written()
    paper.rows([("Combinations", "🃏 Fool, 🦁 Lion, " * 8), ("Stock", "3 cards")])
    first, second, *_ = file.getvalue().splitlines()
    assert first.startswith("  Combinations   🃏 Fool")
    assert second[:17].strip() == ""
    assert second[17] in "🃏🦁"


def test_a_prompt_that_is_interrupted_is_asked_again_on_a_line_of_its_own() -> None:
    paper, file = written()
    paper.ask()
    paper.ask()
    paper.say("Bruno sits down")
    paper.ask()
    assert file.getvalue() == "› \nBruno sits down\n› "
