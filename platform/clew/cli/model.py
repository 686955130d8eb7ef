"""``clew model``: what the language model of the settings can do."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from clew.cli.options import current_settings, json_option, open_console, print_json
from clew.errors import ModelError

if TYPE_CHECKING:
    from clew.evaluation.model_check import Asked, ModelReport


@click.group()
def model() -> None:
    """Look at the language model of the settings."""


@model.command()
@json_option
@click.option("--model", "name", metavar="NAME", help="Another model of the same server (CLEW_LLM_MODEL).")
@click.option("--dialect", metavar="NAME", help="graph-r1, graphrag-r1 or tools (CLEW_DIALECT).")
def check(as_json: bool, name: str | None, dialect: str | None) -> None:
    """Ask the model a handful of questions over a tiny graph, and tell how it fares as the agent.

    It needs no Neo4j and no documents. The exit code is not 0 where the model cannot be used.
    """
    from clew.evaluation.model_check import check_model

    changes = {"llm_model": name, "dialect": dialect}
    settings = current_settings().model_copy(update={key: value for key, value in changes.items() if value})
    console = open_console()
    report = check_model(settings, on_asked=None if as_json else lambda one: console.print(_line(one), markup=False))
    if as_json:
        print_json({**asdict(report), "right": report.right, "keeps_to_protocol": report.keeps_to_protocol})
    else:
        open_console(stderr=False).print(report_line(report), markup=False)
    if report.fault:
        raise ModelError(report.fault)


def report_line(report: ModelReport) -> str:
    """The report in lines for a person."""
    strict, mended, unusable = (report.forms.get(form, 0) for form in ("strict", "mended", "unusable"))
    refused = ", ".join(f"{old} (sent as {new})" if new else old for old, new in sorted(report.refused.items()))
    verdict = "keeps to it" if report.keeps_to_protocol else "does not keep to it: its answers count, and say so"
    verdict = verdict if report.forms else "not seen, for want of a reply"
    return "\n".join(
        [
            f"model     {report.model}, dialect {report.dialect}",
            f"protocol  {verdict} ({strict} replies in form, {mended} mended, {unusable} unusable)",
            f"thoughts  {'of its own' if report.reasons else 'none of its own were seen'}",
            f"options   {f'refused: {refused}' if refused else 'all taken'}",
            f"speed     {report.tokens_per_second:.0f} tokens/s; "
            f"{report.usage.calls} replies took {report.seconds:.0f} s",
            f"quality   {report.right} of {len(report.asked)} questions right, "
            f"{sum(one.cited for one in report.asked)} answers with a citation",
        ]
    )


def _line(one: Asked) -> str:
    mark = {True: "right", False: "wrong", None: "failed"}[one.right]
    return f"{mark:6} {one.question} {one.answer[:80]}".rstrip()
