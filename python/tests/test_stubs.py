"""The stubs, which editors read, name what the module has."""
import ast
import pathlib

import engine

STUBS = pathlib.Path(engine.__file__).parent / "_engine.pyi"


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_stubs_name_every_class_and_method():
    declared = {}
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.ClassDef):
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            members |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            declared[node.name] = public(members)
        elif isinstance(node, ast.FunctionDef):
            declared[node.name] = set()
    module = engine._engine
    for name in public(vars(module)):
        value = getattr(module, name)
        assert name in declared, f"the stubs lack {name}"
        if isinstance(value, type) and not issubclass(value, BaseException):
            assert public(vars(value)) == declared[name], name
