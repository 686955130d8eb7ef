"""Questions reworded by the language model of the settings."""

from __future__ import annotations

from collections.abc import Callable

from clew.errors import InputError
from clew.llm.chat import chat_model, explained, reply_limit
from clew.settings import Settings
from clew.text.normalise import clean

REPLY_TOKENS = 200

_TASK = """\
Reword this question as a person would ask it: one sentence, natural, without quotation of whole sentences. Keep every \
name, date and number that it gives, ask for the same thing, and do not answer it. Reply with the question alone.

{question}"""


def llm_wording(settings: Settings) -> Callable[[str], str]:
    """A function that rewords a question; it raises ModelError where the model fails.

    Raises InputError where no model is set.
    """
    if not settings.llm_model:
        raise InputError("Wording by a model needs one: set CLEW_LLM_MODEL, or leave --llm out.")
    import openai

    model = chat_model(settings).bind(**reply_limit(settings, REPLY_TOKENS))

    def reword(question: str) -> str:
        try:
            reply = model.invoke(_TASK.format(question=question))
        except (openai.OpenAIError, TimeoutError) as error:
            raise explained(error, settings) from error
        text = reply.content if isinstance(reply.content, str) else ""
        # A reply of several lines is a thought or a list, and no question.
        text = clean(text).strip()
        return text if text.endswith("?") and "\n" not in text else question

    return reword
