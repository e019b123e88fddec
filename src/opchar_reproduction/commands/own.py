"""Commands on what is a user's own: data sets, extensions, models, publications."""

import argparse
from pathlib import Path

from opchar.errors import OpcharError
from opchar_reproduction.commands.project import enter_project, project, project_plan


def add(arguments: argparse.Namespace) -> int:
    """Enter a table of your own with all analyses of it, or a file of models, metrics and more."""
    from opchar_reproduction.own.adding import add_data, add_extension
    from opchar_reproduction.own.entries import kept_unless

    plan, _ = project_plan(arguments)
    if arguments.what == "data" and not arguments.target:
        raise OpcharError("name the column of classes by --target")
    with kept_unless(lambda: project_plan(arguments)):
        if arguments.what == "extension":
            lines = add_extension(arguments.file, plan.config.settings.get("extensions", []))
        else:
            lines = add_data(
                arguments.file,
                arguments.target,
                taken=list(plan.config.datasets),
                name=arguments.name,
                models=arguments.models,
                protocol=arguments.protocol,
            )
    print("\n".join(lines))
    return 0


def new(arguments: argparse.Namespace) -> int:
    """Lay out a folder that uses the workflow as a module, or one of a publication of your own."""
    from opchar_reproduction.own.entries import kept_unless
    from opchar_reproduction.own.layout import new_project, new_publication

    if arguments.key is None:
        print("\n".join(new_project(Path(arguments.folder).resolve(), Path.cwd())))
        return 0
    if arguments.folder != "publication":
        raise OpcharError("write 'opchar new FOLDER' or 'opchar new publication KEY'")
    with kept_unless(lambda: project_plan(arguments)):
        lines = new_publication(arguments.key)
    print("\n".join(lines))
    return 0


def names(text: str) -> list[str]:
    """Read names with commas between."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' names nothing")
    return found


def completion(arguments: argparse.Namespace) -> int:
    """Print the script by which a shell completes commands, goals and addresses on the tab key."""
    from opchar.cli.parser import parser
    from opchar_reproduction.runs.completion import script

    print(script(arguments.shell, parser()), end="")
    return 0


def models(arguments: argparse.Namespace) -> int:
    """List the building blocks of model names."""
    if project() is None:
        from opchar.models.vocabulary import packaged_vocabulary

        vocabulary = packaged_vocabulary()
    else:
        enter_project()
        vocabulary = project_plan(arguments)[0].config.models
    for word, entry in vocabulary.items():
        print(f"{word:12} {entry['summary']}")
    return 0
