"""Every value of a game's options, read from their type: a new option is tried without a change here."""

import msgspec.inspect as types
from hypothesis import strategies as st
from msgspec import Struct


def options_of(kind: type[Struct]) -> st.SearchStrategy[Struct]:
    """Return a strategy of options; those that contradict each other are not drawn."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    chosen = st.fixed_dictionaries({field.name: _values(field.type) for field in info.fields})
    return chosen.filter(lambda values: _admitted(kind, values)).map(lambda values: kind(**values))


def _admitted(kind: type[Struct], values: dict[str, object]) -> bool:
    try:
        kind(**values)
    except ValueError:
        return False
    return True


def _values(kind: types.Type) -> st.SearchStrategy[object]:
    match kind:
        case types.Metadata(type=inner):
            return _values(inner)
        case types.BoolType():
            return st.booleans()
        case types.NoneType():
            return st.none()
        case types.IntType(ge=least, le=most):
            return st.integers(least, most)
        case types.LiteralType(values=values):
            return st.sampled_from(values)
        case types.UnionType(types=members):
            return st.one_of([_values(member) for member in members])
    raise NotImplementedError(kind)
