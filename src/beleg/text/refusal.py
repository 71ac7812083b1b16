"""Whether a German or English answer, as a whole, declines to answer."""

from __future__ import annotations

import re

from beleg.text.normalise import fold_typography
from beleg.text.sentences import sentences

_END = r"(?=,|$)"

_EN_INFO = r"(?:information|info|details|data|answers?|mention|indication|context|knowledge|evidence)"
_EN_SOURCE = (
    r"(?:the |these |my |any of the |your |our )?(?:provided |given |available |supplied |retrieved )?"
    r"(?:context|documents?|sources?|passages?|excerpts?|information|material|knowledge base|text)"
)
# "The documents do not contain asbestos" tells of the documents themselves; only words that name what a system reads
# from, or an object that is information, make it a refusal.
_EN_READ = (
    r"(?:the |these |my |any of the |your |our )?(?:(?:provided|given|available|supplied|retrieved) "
    r"(?:context|documents?|sources?|passages?|excerpts?|information|material|knowledge base|text)|"
    r"(?:context|sources?|passages?|excerpts?|knowledge base))"
)
_EN_ABOUT = (
    r"(?=$|,| (?:about|on|regarding|concerning|for|in|of|to|from|within|available|provided|given|found|here|there|that|"
    r"which|whether|as to|how|what|when|where|who|why|related|relating|at)\b)"
)
_EN_SUCH = (
    r"(?:(?:any|enough|sufficient|the|an?|relevant|specific|further|such|explicit|direct|requested|necessary|required|"
    r"that|this|these) )*"
)
_EN_CANNOT = r"(?:cannot|can't|can not|could not|couldn't|am not able to|am unable to|was unable to|was not able to)"
_EN_CANNOT_SELF = rf"(?:i {_EN_CANNOT}|i'm (?:not able|unable) to)"
# "I cannot find a cheaper option than the standard rate" tells of the standard rate.
_EN_TELL = (
    rf"(?:answer|help|say|find(?!.*\bthan\b)|determine|tell|respond|assist|confirm|"
    rf"(?:share|disclose|reveal|discuss) (?:(?:that|this|it)(?: with you)?$|{_EN_SUCH}{_EN_INFO}{_EN_ABOUT})|"
    r"(?:provide|give you) (?:that|this|it)$|"
    rf"(?:provide|give)(?: you)?(?: with)?(?: an?| any| this| that| the)? {_EN_INFO})\b"
)
_EN_LACK = r"(?:no|not enough|insufficient)(?: relevant| sufficient| specific| further)?"

_DE_INFO = r"(?:information(?:en)?|angaben?|daten|hinweise?|antwort(?:en)?|belege?|auskunft)\b"
_DE_NONE = r"(?:keine|keinerlei|nicht genug|nicht genügend|nicht ausreichend|zu wenig)(?: \w+en?)?"
_DE_ABOUT = r"(?:dazu|hierzu|darauf|hierauf|darüber|hierüber|davon)"
_DE_SOURCE = (
    r"(?:in |aus )?(?:den |die |der |dem |meinen |meine )?"
    r"(?:(?:mir )?(?:vorliegende|bereitgestellte|verfügbare|gegebene|genannte)[nrms]? )?"
    r"(?:dokumente?n?|quellen?|kontext|textstellen?|passagen?|unterlagen|informationen|angaben)(?:, [^,]+,)?"
)
_DE_I_CAN = r"(?:ich (?:kann|konnte|könnte|darf)|(?:kann|konnte|könnte|darf) ich)"
_DE_I_HAVE = r"(?:ich habe|habe ich|ich finde|finde ich|ich fand|fand ich)"

_LEAD = (
    r"(?:(?:unfortunately|sorry|regrettably|leider|bedauerlicherweise|"
    r"(?:i'm|i am) (?:(?:so |very )?sorry|afraid)(?: that)?|as an ai\b[^,]*|i apologi[sz]e|"
    r"(?:es )?tut mir (?:sehr )?leid|entschuldigung|"
    r"(?:based on|according to|from|given) [^,]+),? |"
    r"(?:anhand|aus|mit|auf|nach|in|zu|über)\b[^,]{0,80}? (?=(?:kann|konnte|liegen|liegt|finde|habe|gibt|finden)\b))*"
)

# Each describes a clause from its first word; what follows is the thing asked about.
_REFUSALS = tuple(
    re.compile(rf"^{_LEAD}{body}", re.IGNORECASE)
    for body in (
        r"(?:no,? )?i (?:really )?(?:do not|don't) know\b",
        r"(?:no,? |nein,? )?(?:the )?answer (?:is not|isn't) present$",
        r"(?:nein,? )?(?:die )?antwort ist nicht vorhanden$",
        r"(?:nein,? )?ich (?:weiß|kenne) (?:leider )?(?:die|keine) antwort(?: auf \S+ frage)?(?: leider)?(?: nicht)?$",
        r"nein,? ich weiß (?:es|das) (?:leider )?nicht$",
        rf"i (?:do not|don't) have (?:access to )?"
        rf"(?:(?:any|enough|sufficient|that|this|the|an|relevant) )*{_EN_INFO}\b",
        r"n/a$",
        rf"{_EN_SOURCE} (?:has|have|contains?|provides?|gives?) {_EN_LACK} {_EN_INFO}{_EN_ABOUT}",
        rf"we (?:do not|don't) have {_EN_SUCH}{_EN_INFO}{_EN_ABOUT}",
        rf"(?:{_EN_CANNOT_SELF}|(?:unable|not able) to) {_EN_TELL}",
        rf"i (?:have|found|find|see|could find|have found) (?:{_EN_LACK} {_EN_INFO}\b|nothing\b)",
        rf"{_EN_SOURCE} (?:(?:does|do) not|doesn't|don't) (?:mention|say|cover|state|specify|answer|allow)\b",
        rf"{_EN_READ} (?:(?:does|do) not|doesn't|don't) (?:contain|provide|include|give|have)\b",
        rf"{_EN_SOURCE} (?:(?:does|do) not|doesn't|don't) (?:contain|provide|include|give|have)"
        rf"(?:$| (?:it|this|that|anything)\b(?! \w+$)| {_EN_SUCH}{_EN_INFO}{_EN_ABOUT})",
        rf"there(?: is|'s) {_EN_LACK} (?:information|details|context|answer|mention){_EN_ABOUT}",
        rf"(?:no|not enough|insufficient) (?:relevant )?(?:information|evidence|context)"
        rf"(?: (?:about|on|regarding|for) (?:(?! is | are | was ).)*)?"
        rf"(?:$| (?:is |was )?(?:available|found|provided|given)\b| in {_EN_SOURCE}| to answer\b)",
        rf"(?:it|this|(?:this|that|the|your)(?: question)?) {_EN_CANNOT} be (?:answered|determined)\b",
        r"(?:the|an) answer (?:is not|isn't|was not|cannot be|could not be|can't be) "
        r"(?:in|found|given|contained|available|part)\b",
        rf"nothing in {_EN_SOURCE} (?:answers|addresses|mentions|says|covers)\b",
        rf"(?:(?:das|dies|diese frage|die frage|ihre frage|deine frage|{_DE_ABOUT}) kann ich|{_DE_I_CAN})\b.*?"
        rf"\b(?:nicht|nichts)\b.*?\b(?:beantworten|sagen|helfen|finden|beurteilen|antworten){_END}",
        rf"(?:{_DE_ABOUT} kann ich|{_DE_I_CAN})(?: \S+){{0,4}}? {_DE_NONE} {_DE_INFO}",
        rf"(?:das )?(?:weiß ich|ich weiß)(?: es| das| {_DE_ABOUT}| leider| aber)* (?:nicht|nichts)(?: genau)?{_END}",
        rf"(?:{_DE_ABOUT} )?(?:{_DE_I_HAVE}|mir liegen|liegen mir|es liegen)(?: \S+){{0,5}}? {_DE_NONE} {_DE_INFO}",
        rf"(?:{_DE_ABOUT} )?{_DE_I_HAVE}(?: \S+){{0,4}}? nichts(?: gefunden)?{_END}",
        rf"(?:es gibt {_DE_ABOUT}|{_DE_ABOUT} (?:gibt es|finden sich|findet sich|liegen))"
        rf"(?: \S+){{0,2}}? {_DE_NONE} {_DE_INFO}",
        rf"es gibt(?: leider)? {_DE_NONE} {_DE_INFO} (?:{_DE_ABOUT}|zu|über|in)\b",
        rf"{_DE_ABOUT} (?:steht|enthält|enthalten|sagen|findet sich)(?: \S+){{0,3}}? nichts\b",
        rf"{_DE_SOURCE} (?:enthalten|enthält|geben|gibt|nennen|nennt|liefern|liefert|machen|finden sich|finde ich)"
        rf"(?: \S+){{0,3}}? {_DE_NONE} {_DE_INFO}",
        rf"{_DE_SOURCE} (?:enthalten|enthält|sagen|sagt|steht|findet sich|finde ich)(?: \S+){{0,3}}? nichts"
        rf"(?:{_END}| {_DE_ABOUT}| zu\b| über\b)",
        rf"{_DE_SOURCE} reichen\b.*\bnicht aus\b",
        rf"(?:das|dies|die antwort|die (?:gesuchten?|gewünschten?) {_DE_INFO}) (?:geht|gehen)(?: leider| hier)* "
        rf"(?:aus )?{_DE_SOURCE}(?: leider)? nicht(?: klar| eindeutig| direkt)? hervor$",
        rf"{_DE_SOURCE} (?:wird|ist|steht|findet sich) (?:das|dies|es)(?: leider)? nicht"
        r"(?: erwähnt| genannt| angegeben| beschrieben| behandelt| enthalten| geregelt)?$",
        rf"(?:das|dies) (?:wird|ist|steht)(?: leider)? {_DE_SOURCE}(?: leider)? nicht"
        r"(?: erwähnt| genannt| angegeben| beschrieben| behandelt| enthalten| geregelt)?$",
        rf"(?:{_DE_ABOUT} kann ich|{_DE_I_CAN})(?: \S+){{0,4}}? keine (?:aussagen?|antwort)"
        rf"(?: \S+){{0,6}}? (?:treffen|machen|geben){_END}",
        rf"(?:das|dies|diese frage|die frage) (?:lässt sich|kann)\b.*\bnicht\b.*"
        rf"\b(?:beantworten|beantwortet werden|sagen){_END}",
        rf"{_DE_NONE} {_DE_INFO}(?:$| (?:vorhanden|verfügbar|möglich|gefunden|{_DE_ABOUT})\b)",
        rf"(?:diese|solche|eine solche|entsprechende|eine entsprechende|die (?:gesuchten?|gewünschten?)) {_DE_INFO} "
        rf"(?:ist|sind|liegt|liegen|steht|stehen)(?: leider| mir| hier)*(?: {_DE_SOURCE})?(?: leider)? nicht"
        r"(?: enthalten| verfügbar| vorhanden| vor| aufgeführt| angegeben| genannt| zu finden| bekannt)?$",
        r"(?:die|eine) antwort (?:steht|findet sich|ist) nicht (?:in|enthalten)\b",
    )
)
_COURTESY = re.compile(
    r"^(?:(?:i am |i'm |we are |we're )?(?:so |very )?sorry\b.{0,40}$|i apologi[sz]e\b|my apologies\b|unfortunately$|"
    r"leider$|thank|let me know\b|is there anything\b|(?:can|may) i help\b|(?:i am|i'm) happy to help\b|"
    r"(?:please|you (?:can|could|may|might)|feel free|i (?:recommend|suggest)|try|"
    r"for (?:this|that|more|further)\b.*please)\b"
    r".*\b(?:contact|ask|reach|check|consult|rephrase|visit|let me know)\b|"
    r"(?:es )?tut mir (?:sehr )?leid|das tut mir leid|entschuldig|verzeih|vielen dank|danke|bei weiteren fragen\b|"
    r"(?:bitte|(?:sie|du) (?:können|kannst|könnten|könntest)|am besten|ich empfehle|gern)\b.*"
    r"\b(?:wenden|wende|kontaktieren|kontaktiere|fragen|frage|prüfen|prüfe|formulieren|formuliere|helfe|weiter)\b|"
    r"kann ich (?:ihnen|dir) (?:sonst|anders|bei)\b)",
    re.IGNORECASE,
)
# A new main clause begins: it may say something, and then the answer is no refusal.
_CLAUSE_BREAK = re.compile(
    r"\s*(?:;|:| - |"
    r",?\s+\b(?:but|however|although|though|nevertheless|yet|aber|jedoch|allerdings|doch|trotzdem|dennoch)\b,?|"
    r",(?= (?:it|they|there|this|that|the \w+) (?:is|are|was|were|costs?|takes?|has|have)\b)|"
    r", denn (?=\w)|"
    r",(?= (?:es|(?:die|der|das) \w+) "
    r"(?:ist|sind|war|kostet|kosten|beträgt|betragen|dauert|dauern|gilt|gelten)\b))\s*",
    re.IGNORECASE,
)
# What follows such a word is told, not declined.
_EXCEPTION = re.compile(r"\b(?:other than|except|apart from|besides|außer|abgesehen von)\b", re.IGNORECASE)
# A figure with its unit says something, even in a clause that begins like a courtesy.
_FIGURE = re.compile(
    r"\d\s?(?:%|€|\$|(?:percent|per cent|prozent|euros?|dollars?|days?|tagen?|hours?|stunden?|weeks?|wochen?|months?|"
    r"monaten?|years?|jahren?)\b)",
    re.IGNORECASE,
)
_META = (
    r"(?:contexts?|documents?|sources?|passages?|excerpts?|texts?|kontexte?n?|dokumente?n?|quellen?|passagen?|"
    r"textstellen?)"
)
_EN_GIVEN = r"(?:given |provided |available |supplied |retrieved |other |remaining )?"
_EN_THEY = (
    r"(?:they|it|this|(?:(?:some|most|many|all|several|each|one) of )?"
    rf"(?:the|these|those|all|some|most|other|many|several) {_EN_GIVEN}{_META}(?: provided| given)?|"
    rf"{_META} \[?\d{{1,3}}\]?)"
)
_DE_THEY = rf"(?:sie|(?:die|alle|einige|manche|mehrere|diese) (?:\w+en )?{_META})"
_EN_ONLY = r"(?:(?:only|mainly|primarily|mostly|merely|all|do|does|also|instead|just|simply|each|generally) )*"
# After a plain "I don't know", clauses about the question or the passages explain the refusal and answer nothing.
_EXPLAINS = tuple(
    re.compile(
        r"^(?:(?:and|however|instead|since|because|as|while|therefore|thus|nor|or|denn|da|sondern|und|jedoch),? )*"
        + body,
        re.IGNORECASE,
    )
    for body in (
        r"(?:the )?answer is \"?(?:i don't know|unknown|not )",
        r"(?:explanation|reason|reasoning|note|begründung|erklärung|hinweis)$",
        r"the (?:reason|explanation) is\b",
        r"(?:the|this|your) (?:given |provided )?question\b",
        r"(?:die|diese|ihre|deine) frage\b",
        rf"(?:none|neither|not one|not all|no one) of (?:the|these|them)\b(?: {_EN_GIVEN}{_META})?",
        rf"no {_EN_GIVEN}{_META} ",
        rf"kein\w* (?:der |dieser )?(?:\w+en )?{_META}\b",
        rf"{_EN_THEY} (?:(?:do|does|did|is|are|was|were|can|could) (?:also |explicitly |directly )?not|"
        r"don't|doesn't|isn't|aren't)\b",
        rf"{_EN_THEY} {_EN_ONLY}(?:discuss|focus|talk|describe|deal|refer|cover)(?:e?s)? (?!that\b)",
        rf"{_EN_THEY} {_EN_ONLY}(?:mention|provide|contain|include|give)s? "
        r"(?:(?:some|general|various|only|different|other|several|numerous) )*"
        r"(?:information|details|context|data|insights?|descriptions?|facts)\b(?! that\b)",
        rf"(?:es gibt|in (?:den|diesen) {_META}) .*\bkein\w*\b",
        rf"{_DE_THEY} [^,]{{0,80}}\b(?:nicht|keine?\w*)\b",
        rf"{_DE_THEY} (?:behandeln|handeln|beschreiben|befassen|beziehen)\b(?!.*\bdass\b)",
        r"there (?:is|was) no (?:explicit |clear |direct |specific )?"
        r"(?:mention|information|context|indication|answer)\b",
    )
)
_PLAIN = re.compile(
    r"^(?:(?:no,? )?i (?:really )?(?:do not|don't) know|"
    r"(?:das )?(?:weiß ich|ich weiß)(?: es| das| die antwort| leider)* nicht)\b",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# No clause that declines is longer; the bound keeps hostile text from costing quadratic time.
MAX_CLAUSE_CHARS = 600
_EDGES = " \"'*_#>.,!?…()[]"


def is_refusal(answer: str) -> bool:
    """Whether a German or English answer as a whole declines to answer.

    Every clause must decline, apologise or point elsewhere, and at least one must decline; after a plain "I don't know"
    a clause may also tell what the question or the passages are about. A phrase of refusal inside an answer that says
    something does not make it a refusal.

    Args:
        answer: the answer without citation markers.

    Returns:
        True for a refusal; False for everything else, an empty answer included.

    Example:
        >>> is_refusal("Das kann ich nicht beantworten."), is_refusal("Refunds are not provided after 30 days.")
        (True, False)
        >>> is_refusal("I don't know whether it ships today, but the fee is 5 euros.")
        False
    """
    declined = explained = False
    for block in _BLANK_LINE.split(answer):
        for sentence in sentences(fold_typography(block)):
            for part in _CLAUSE_BREAK.split(sentence):
                clause = part.strip(_EDGES)
                if len(clause) > MAX_CLAUSE_CHARS:
                    return False
                if part.endswith("?") and _FIGURE.search(part) is None:
                    continue  # the question read back, or one asked in return
                if _declines(clause):
                    explained = explained or _PLAIN.match(clause) is not None
                    declined = True
                elif clause and not _is_courtesy(clause) and not (explained and _explains(clause)):
                    return False
    return declined


def only_declines_or_greets(sentence: str) -> bool:
    """Whether a sentence, clause by clause, only declines, apologises, offers help or asks.

    Example:
        >>> only_declines_or_greets("Please let me know what you need."), only_declines_or_greets("Returns are free.")
        (True, False)
    """
    for part in _CLAUSE_BREAK.split(fold_typography(sentence)):
        clause = part.strip(_EDGES)
        if len(clause) > MAX_CLAUSE_CHARS:
            return False
        is_question = part.endswith("?") and _FIGURE.search(part) is None
        if clause and not (is_question or _declines(clause) or _is_courtesy(clause)):
            return False
    return True


def _declines(clause: str) -> bool:
    return any(pattern.match(clause) for pattern in _REFUSALS) and _EXCEPTION.search(clause) is None


def _explains(clause: str) -> bool:
    return any(pattern.match(clause) for pattern in _EXPLAINS) and _FIGURE.search(clause) is None


def _is_courtesy(clause: str) -> bool:
    return _COURTESY.match(clause) is not None and _FIGURE.search(clause) is None
