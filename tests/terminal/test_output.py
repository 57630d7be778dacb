"""Output: it fits the width of the terminal, and contains no control characters that other people have sent."""

from io import StringIO

from rich.cells import cell_len

from services.terminal.output import Output


def output_to_text() -> tuple[Output, StringIO]:
    file = StringIO()
    return Output(file, input_echoes=False), file


def test_control_characters_are_removed_from_every_kind_of_output() -> None:
    output, file = output_to_text()
    evil = "An\x1b[2Jna\x9b31m\r\x07"
    output.line(evil)
    output.lines([evil])
    output.items([evil])
    output.rows([(evil, evil)])
    output.choices([evil])
    output.title(evil)
    output.command(evil)
    output.markdown(f"# {evil}")
    assert not {"\x1b", "\x9b", "\r", "\x07"} & set(file.getvalue())


def test_a_long_list_is_printed_in_columns_that_fit() -> None:
    output, file = output_to_text()
    output.choices([f"🦉 XV, 🏹 XIIII, {number}" for number in range(30)])
    lines = file.getvalue().splitlines()
    assert len(lines) < 30
    assert max(map(cell_len, lines)) <= 80
    assert lines[0].startswith("  1) ")


def test_a_long_line_is_wrapped_under_its_own_column() -> None:
    output, file = output_to_text()
    output.rows([("Combinations", "🃏 Fool, 🦁 Lion, " * 8), ("Stock", "3 cards")])
    first, second, *_ = file.getvalue().splitlines()
    assert first.startswith("  Combinations   🃏 Fool")
    assert second[:17].strip() == ""
    assert second[17] in "🃏🦁"


def test_a_heading_has_no_rule_where_a_pipe_reads() -> None:
    output, file = output_to_text()
    output.title("Table")
    assert file.getvalue() == "\nTable\n"


def test_a_prompt_is_printed_again_after_output_that_interrupted_it() -> None:
    output, file = output_to_text()
    output.prompt()
    output.prompt()
    output.line("Bruno sits down")
    output.prompt()
    assert file.getvalue() == "› \nBruno sits down\n› "


def test_lines_for_a_file_or_a_pipe_have_no_spaces_at_their_ends() -> None:
    output, file = output_to_text()
    output.rows([("Stock", "3 cards"), ("Combinations", "none")])
    output.lines(["a hand", "a longer hand"])
    output.title("Table")
    output.markdown("# Rules\n\nText, and a list:\n\n- one\n- two")
    lines = file.getvalue().splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    assert "  Stock          3 cards" in lines


def test_lines_for_a_file_or_a_pipe_keep_the_space_after_the_prompt() -> None:
    output, file = output_to_text()
    output.prompt()
    assert file.getvalue() == "› "


def test_a_file_or_a_pipe_gets_no_qr_code() -> None:
    output, file = output_to_text()
    output.qr_code("https://cards.example.org", below=0)
    assert file.getvalue() == ""
