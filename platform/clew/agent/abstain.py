"""When an answer is none: the many ways in which a model says that it does not know."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.text.normalise import fold
from clew.types import Json

UNKNOWN = "I don't know"
FOUND = "Most likely here:"
"""What stands for an answer where there is none, but something was found."""
STOPPED = "Stopped before an answer"

_LONGEST = 300

# Read after folding: lower case, no punctuation, no apostrophes, single spaces.
_LEAD_IN = (
    r"(?:(?:(?:im |i am )?(?:(?:very |so )?sorry|afraid)|unfortunately)(?: but)? |as an ai(?: \w+){0,3} )*"
    r"(?:(?:based on|according to) [a-z ]+? )?"
)
_SPEAKER = r"(?:(?:i|we|it|this|that|they|you|the \w+(?: \w+)?) )?"
_IS = r"(?:am |im |is |are |was |were )?"
_ABOUT = (
    r"(?: (?:from|in|by|based|to|at|with|how|whether|given|here|yet|on|about|for|who|what|when|where|which|as|because|"
    r"not (?:stated|given|mentioned|specified|known|told))\b.*)?"
)
_SOURCES = r"(?:facts?|documents?|sources?|texts?|passages?|context|graph|results?)"
_TELLS = r"(?:say|tell|mention|state|specif(?:y|ie)|contain|include|give|provide|reveal|indicate|name|answer)s?"
_PHRASES = (
    rf"{_SPEAKER}(?:really |simply |just )?(?:do not|dont|does not|doesnt|did not|didnt) (?:know|say|tell|mention)\b.*",
    r"(?:(?:i|we|it|this|the (?:\w+ ){0,2}\w+) )(?:do not|dont|does not|doesnt) (?:contain|include|provide|specify|"
    r"state|give|reveal|indicate|have (?:\w+ ){0,2}(?:information|access|context|data|knowledge))\b.*",
    rf"{_SPEAKER}{_IS}(?:unable to|not able to|can ?not|cant|could not|couldnt) (?:be )?"
    r"(?:answer|assist|help|provide|find|found|determine|tell|say|identif|know|infer|establish|conclude|confirm)\w*\b.*",
    rf"{_SPEAKER}{_IS}(?:unknown|unclear|unanswerable|undetermined|uncertain|unspecified|inconclusive){_ABOUT}",
    rf"{_SPEAKER}{_IS}not (?:sure|certain|clear|known|given|stated|mentioned|specified|provided|available|found|"
    rf"determined|determinable|answerable|(?:in|among|part of) (?:the|these|any of the) (?:\w+ )?{_SOURCES}){_ABOUT}",
    rf"(?:none|nothing|no)(?: (?:of|in|among))? (?:the |these |my )?(?:\w+ )?{_SOURCES} (?:\w+ )?{_TELLS}\b.*",
    rf"(?:the |this )?(?:\w+ )?(?:information|answer|name|date|value) (?:is |was )?(?:not|un)(?: |(?=a))"
    rf"(?:\w+ )?(?:available|given|provided|known|stated|found|specified|mentioned|included|present){_ABOUT}",
    r"(?:there (?:is|was|are) )?(?:no|not enough|insufficient|not sufficient) (?:\w+ )?"
    r"(?:information|info|evidence|data|context|facts?|answers?|results?|knowledge|idea|clue|mention|record|indication)"
    rf"(?: (?:is|are|was|were|that|found|available|given|of)\b.*)?{_ABOUT}",
    r"nothing (?:was |is )?found|noanswer|n a|not applicable|none found|null|(?:no one|nobody) knows",
)
# The same in other languages, folded, one line each: "I don't know", "unknown", "no information", as a whole answer.
_ABROAD = (
    r"(?:(?:das|es|ich) )*weiss (?:(?:ich|das|es|leider) )*nicht|(?:\w+ ){0,3}(?:nicht |un)bekannt|"
    r"(?:\w+ ){0,3}keine angaben?\b.*",
    r"(?:dat )?(?:ik )?weet (?:(?:ik|het|dat) )*niet|onbekend|geen informatie\b.*",
    r"(?:die|der|das|den) (?:\w+ )?(?:fakten|dokumente?n?|texte?n?|quellen?) (?:\w+ ){0,3}(?:nicht|keine?n?)\b.*",
    r"je (?:ne dispose|n ai|nai) pas\b.*|les (?:faits|documents|textes) (?:\w+ ){0,3}ne (?:\w+ ){1,3}pas\b.*",
    r"(?:esto |eso )?no (?:se )?(?:menciona|especifica|indica|dice)\b.*|"
    r"los (?:hechos|documentos|textos) (?:\w+ ){0,2}no (?:\w+)\b.*",
    r"(?:\w+ ){0,2}je (?:ne )?(?:le )?sais pas|inconnue?|(?:\w+ ){0,4}(?:pas d|aucune )informations?\b.*",
    r"no (?:lo )?se|desconocid[oa]|no hay (?:\w+ )?informacion\b.*",
    r"(?:eu )?nao (?:o )?sei|desconhecid[oa]|nao ha informac(?:ao|oes)\b.*",
    r"non (?:lo )?so|sconosciut[oa]|(?:non ci sono|nessuna) informazion[ei]\b.*",
    r"nie wiem|nieznan[aey]|brak (?:informacji|danych)\b.*",
    r"(?:я )?(?:этого )?не знаю|неизвестно|нет (?:информации|данных)\b.*",
    r"bilmiyorum|bilinmiyor|bilgi yok",
    r"(?:我|我们)?不(?:知道|清楚|确定)|未知|不详|(?:没有|无)(?:相关)?(?:信息|资料)|无法(?:确定|回答|得知).*|"
    r"\w{0,8}(?:没有|未)(?:提到|提及|说明|记载|提供|找到)\w*",
    r"(?:\w*)(?:[分わ]かりません|知りません|不明です?|[分わ]からない)",
    r"(?:\w+ ){0,3}(?:모르겠습니다|모릅니다|알 수 없(?:습니다|음))",
    r"(?:انا )?لا (?:اعرف|اعلم|ادري)|غير معروف",
)
_UNKNOWN = re.compile(f"{_LEAD_IN}(?:{'|'.join(_PHRASES)})|{'|'.join(_ABROAD)}")


def in_a_line(answer: str, citations: Sequence[Json]) -> str:
    """An answer as lists show it: where there is none, with the first of the sentences that were found."""
    return f"{answer} “{' '.join(citations[0]['quote'].split())}”" if answer == FOUND and citations else answer


def is_unknown(answer: str) -> bool:
    """Whether ``answer`` is empty, or says that there is none."""
    if answer.startswith((FOUND, STOPPED)):
        return True
    words = fold(answer.replace("'", "").replace("’", "")).strip()[:_LONGEST]
    return not words or _UNKNOWN.fullmatch(words) is not None
