"""``clew browse``: Neo4j Browser with a query filled in."""

from __future__ import annotations

import click

from clew.cli.options import current_settings, json_option, kb_option, print_json, say


@click.command()
@click.argument("query", required=False)
@click.argument("names", nargs=-1)
@kb_option
@click.option("--list", "only_list", is_flag=True, help="List the favourites with the names they take.")
@click.option("--print", "only_print", is_flag=True, help="Print the address instead of opening it.")
@json_option
def browse(
    query: str | None, names: tuple[str, ...], kb: str | None, only_list: bool, only_print: bool, as_json: bool
) -> None:
    """Open Neo4j Browser with QUERY filled in: Cypher, or a favourite with the NAMES it asks for.

    Without QUERY it is a first look at the knowledge base. `clew browse style` fills in the style sheet.
    """
    from clew.database.server import managed as server
    from clew.knowledge_base import KnowledgeBase, check_name, connect
    from clew.serving.browse import browser_address, favourites, query_for

    if only_list:
        _list(as_json)
        return
    settings = current_settings()
    name = check_name(kb or settings.kb)
    filled = query_for(query, name, names)
    server.up(settings)
    found = server.status(settings)
    address = browser_address(found, filled)
    if query is None or any(query == item.name for item in favourites()):
        with connect(settings) as database:
            KnowledgeBase(name, database, settings).must_exist()
    if as_json:
        fields = {"address": address, "query": filled, "uri": found["uri"], "username": found["username"]}
        print_json(fields)
        return
    say(f"Connect to {found['uri']} as {found['username']}; the password is in {found['password_file']}.")
    click.echo(address)
    if not only_print:
        click.launch(address)


def _list(as_json: bool) -> None:
    """Every favourite, with what it shows and takes."""
    from dataclasses import asdict

    from clew.serving.browse import favourites

    if as_json:
        print_json({"favourites": [asdict(item) for item in favourites()]})
        return
    for item in favourites():
        click.echo(f"{' '.join([item.name, *(name.upper() for name in item.parameters)]):24}  {item.description}")
