"""A LangChain agent that looks things up in a Clew knowledge base.

``python examples/langchain_agent.py [QUESTION]`` asks the knowledge base ``examples`` (``make demo`` fills it). With
``CLEW_LLM_MODEL`` set, and ``CLEW_LLM_BASE_URL`` or ``OPENAI_API_KEY``, a LangChain agent answers, and Clew's retriever
is its one tool; the model has to support tool calls. Without a model the retriever is asked alone.
"""

from __future__ import annotations

import sys

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.prompts import PromptTemplate
from langchain_core.tools import create_retriever_tool

from clew import KnowledgeBase
from clew.llm.chat import chat_model

QUESTION = "Who designed the Old Maren Light?"
INSTRUCTIONS = (
    "Answer from the documents alone. Look one thing up at a time, name the document that each answer comes from, and "
    "say that you do not know where the documents do not tell."
)


def passages(kb: KnowledgeBase, question: str) -> list[Document]:
    """What Clew's retriever finds: passages with their document and span in the metadata."""
    return kb.as_retriever(k=5).invoke(question)


def answer(kb: KnowledgeBase, model: BaseChatModel, question: str) -> str:
    """Let an agent of LangChain answer, with Clew's retriever as its tool."""
    tool = create_retriever_tool(
        kb.as_retriever(k=5),
        "look_up",
        "Finds passages of the documents for a question or a name.",
        document_prompt=PromptTemplate.from_template("{title}: {page_content}"),
    )
    agent = create_agent(model, [tool], system_prompt=INSTRUCTIONS)
    reply = agent.invoke({"messages": [{"role": "user", "content": question}]})
    return str(reply["messages"][-1].text)


def main(question: str) -> None:
    """Ask the agent where there is a model, else the retriever."""
    with KnowledgeBase.open("examples") as kb:
        if kb.settings.llm_model:
            print(answer(kb, chat_model(kb.settings), question))
            return
        for document in passages(kb, question):
            place = document.metadata
            print(f"{place['title']} [{place['start']}:{place['end']}]\n  {document.page_content}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else QUESTION)
