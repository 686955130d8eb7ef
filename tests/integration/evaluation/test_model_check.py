"""``clew model check`` against the test server: what it reports of a model that fares well, and of others."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from clew.agent.policies.llm.policy import LlmPolicy
from clew.cli import main
from clew.evaluation.model_check import QUESTIONS, check_model
from clew.settings import load_settings
from clew.testing import ModelServer, agent


@pytest.mark.parametrize(
    ("mode", "keeps", "reasons"), [("", True, False), ("reasoning", True, True), ("no-tags", False, False)]
)
def test_it_tells_how_a_model_goes_about_the_protocol(mode: str, keeps: bool, reasons: bool) -> None:
    with ModelServer(agent(), mode=mode) as server:
        report = check_model(load_settings(_env_file=None, llm_model=server.model, llm_base_url=server.base_url))
    assert (report.keeps_to_protocol, report.reasons, report.fault) == (keeps, reasons, "")
    assert len(report.asked) == len(QUESTIONS)
    assert report.asked[0].right is True
    assert report.right >= 2
    assert report.tokens_per_second > 0


def test_the_command_tells_options_and_faults() -> None:
    with ModelServer(agent(), mode="strict") as server:
        env = {"CLEW_LLM_MODEL": server.model, "CLEW_LLM_BASE_URL": server.base_url}
        done = CliRunner().invoke(main, ["model", "check"], env=env)
        assert done.exit_code == 0
        assert "refused: max_tokens (sent as max_completion_tokens), stream_options, temperature" in done.stdout
        told = json.loads(CliRunner().invoke(main, ["model", "check", "--json"], env=env).stdout)
        assert told["keeps_to_protocol"] is True
        assert told["asked"][0]["answer"] == "1887"
    with ModelServer(agent(), mode="error-as-text") as server:
        done = CliRunner().invoke(
            main, ["model", "check"], env={"CLEW_LLM_MODEL": server.model, "CLEW_LLM_BASE_URL": server.base_url}
        )
        assert done.exit_code != 0
        assert "The tokenizer of this model is missing." in done.stderr
        assert "not seen, for want of a reply" in done.stdout


def test_ctrl_c_ends_the_check_and_not_one_question_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LlmPolicy, "act", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_model(load_settings(_env_file=None, llm_model="m", llm_base_url="http://127.0.0.1:9/v1"))
