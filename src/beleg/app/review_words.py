"""What reviewers read: claims, queues, histories and agreement, in English and German."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from beleg.app.review_subjects import Subject
from beleg.app.reviewing import Recorded, ReviewDesk
from beleg.core.decision import Sentence
from beleg.core.evidence import AttributionVerdict, Condition, SupportVerdict
from beleg.core.review import ClaimReview, ReviewAction, ReviewEvent, ReviewEventKind
from beleg.evidence.agreement import Agreement, AgreementFigure, NotCounted
from beleg.evidence.review_chain import ChainFault, ChainFinding
from beleg.evidence.review_state import ReviewProgress, needs, progress_of

PROGRESS = {
    ReviewProgress.UNREVIEWED: Sentence(en="unreviewed", de="ungeprüft"),
    ReviewProgress.REVIEWED: Sentence(en="reviewed", de="geprüft"),
    ReviewProgress.DISAGREED: Sentence(en="disagreed", de="uneinig"),
    ReviewProgress.DISPUTED: Sentence(en="disputed", de="bestritten"),
    ReviewProgress.ADJUDICATED: Sentence(en="adjudicated", de="entschieden"),
}
SUPPORT = {
    SupportVerdict.SUPPORTED: Sentence(en="supported", de="gestützt"),
    SupportVerdict.PARTIALLY_SUPPORTED: Sentence(en="partially supported", de="teilweise gestützt"),
    SupportVerdict.NOT_SUPPORTED: Sentence(en="not supported", de="nicht gestützt"),
    SupportVerdict.NOT_ASSESSABLE: Sentence(en="not assessable", de="nicht beurteilbar"),
}
ATTRIBUTION = {
    AttributionVerdict.ATTACHED: Sentence(en="attached", de="angehängt"),
    AttributionVerdict.MISSING: Sentence(en="missing", de="fehlt"),
    AttributionVerdict.WRONG_TARGET: Sentence(en="wrong target", de="falsches Ziel"),
    AttributionVerdict.UNRESOLVABLE: Sentence(en="unresolvable", de="nicht auflösbar"),
    AttributionVerdict.NOT_ASSESSABLE: Sentence(en="not assessable", de="nicht beurteilbar"),
}
CONDITION = {
    Condition.BLIND: Sentence(en="blind", de="blind"),
    Condition.SAW_MACHINE: Sentence(en="had seen the machine's proposal", de="kannte den Vorschlag der Maschine"),
    Condition.SAW_HUMAN: Sentence(en="had seen verdicts of others", de="kannte Urteile anderer"),
}
KIND = {
    ReviewEventKind.ASSIGNED: Sentence(en="assigned", de="zugewiesen"),
    ReviewEventKind.VERDICT_RECORDED: Sentence(en="verdict", de="Urteil"),
    ReviewEventKind.VERDICT_SUPERSEDED: Sentence(en="verdict replaced", de="Urteil ersetzt"),
    ReviewEventKind.DISPUTED: Sentence(en="disputed", de="bestritten"),
    ReviewEventKind.ADJUDICATED: Sentence(en="adjudicated", de="entschieden"),
    ReviewEventKind.WITHDRAWN: Sentence(en="withdrawn", de="zurückgezogen"),
    ReviewEventKind.NOTE_ADDED: Sentence(en="note", de="Notiz"),
    ReviewEventKind.SHEET_REBUILT: Sentence(en="claim row changed", de="Aussagezeile geändert"),
    ReviewEventKind.SHOWN: Sentence(en="was shown", de="bekam gezeigt"),
}
NOT_COUNTED = {
    NotCounted.NOT_BLIND: Sentence(en="not blind", de="nicht blind"),
    NotCounted.WITHDRAWN: Sentence(en="withdrawn", de="zurückgezogen"),
    NotCounted.AFTER_ADJUDICATION: Sentence(en="after adjudication", de="nach der Entscheidung"),
}
FAULT = {
    ChainFault.OUT_OF_PLACE: Sentence(
        en="an event is missing, repeated or moved", de="ein Ereignis fehlt, steht doppelt oder an anderer Stelle"
    ),
    ChainFault.NOT_BEHIND: Sentence(
        en="it does not follow from the event before it", de="es folgt nicht auf das Ereignis davor"
    ),
    ChainFault.CHANGED: Sentence(en="its content was changed", de="sein Inhalt wurde geändert"),
    ChainFault.VERSION: Sentence(
        en="it does not stand at its place in its stream", de="es steht nicht an seiner Stelle im Strom"
    ),
    ChainFault.UNREADABLE: Sentence(en="it cannot be read", de="es ist nicht lesbar"),
    ChainFault.OTHER_LEDGER: Sentence(
        en="a checkpoint belongs to another ledger", de="ein Prüfpunkt gehört zu einem anderen Register"
    ),
    ChainFault.EMPTIED: Sentence(
        en="the ledger is empty, and a checkpoint says it was not",
        de="das Register ist leer, ein Prüfpunkt sagt etwas anderes",
    ),
    ChainFault.CUT: Sentence(en="the ledger ends before a checkpoint", de="das Register endet vor einem Prüfpunkt"),
    ChainFault.REWRITTEN: Sentence(
        en="the ledger was written anew: it is another one than at a checkpoint",
        de="das Register wurde neu geschrieben: es ist ein anderes als am Prüfpunkt",
    ),
}
QUESTION = {
    "attribution": Sentence(en="Attribution", de="Zuordnung"),
    "support": Sentence(en="Support", de="Stützung"),
}


def chosen(language: str, en: str, de: str) -> str:
    """The words of a language."""
    return de if language == "de" else en


def counted(number: int, language: str, en: tuple[str, str], de: tuple[str, str]) -> str:
    """A number with its noun."""
    one, many = de if language == "de" else en
    return f"{number} {one if number == 1 else many}"


def queue_answer(reviews: Mapping[str, ClaimReview], gone: int, language: str) -> str:
    """The first line of a queue."""
    counts = Counter(progress_of(review) for review in reviews.values())
    parts = [f"{counts[each]} {PROGRESS[each].in_language(language)}" for each in ReviewProgress if counts[each]]
    answer = counted(len(reviews), language, ("claim", "claims"), ("Aussage", "Aussagen"))
    answer += f": {', '.join(parts)}" if parts else ""
    outdated = sum(bool(review.outdated) for review in reviews.values())
    if outdated:
        answer += chosen(
            language,
            f" · {outdated} with verdicts about an older row",
            f" · {outdated} mit Urteilen über eine ältere Zeile",
        )
    if gone:
        en = ("reviewed claim is gone", "reviewed claims are gone")
        de = ("geprüfte Aussage gibt es nicht mehr", "geprüfte Aussagen gibt es nicht mehr")
        answer += f" · {counted(gone, language, en, de)}"
    return answer


def queue_head(language: str) -> tuple[str, ...]:
    """The head of the table of a queue."""
    if language == "de":
        return ("Aussage", "Fall", "Stand", "Zugewiesen", "Urteile", "Zu älterer Zeile")
    return ("Claim", "Case", "State", "Assigned", "Verdicts", "About older row")


def queue_rows(desk: ReviewDesk, reviews: Mapping[str, ClaimReview], language: str) -> list[tuple[str, ...]]:
    """One row per claim; what was decided is not among it, so that the queue leaves a reviewer blind."""
    return [
        (
            claim_id,
            desk.subjects[claim_id].case.case_id,
            PROGRESS[progress_of(review)].in_language(language),
            ", ".join(review.assignees) or chosen(language, "nobody", "niemand"),
            str(len(review.verdicts)),
            str(len(review.outdated)),
        )
        for claim_id, review in reviews.items()
    ]


def workload(reviews: Mapping[str, ClaimReview], language: str) -> list[str]:
    """How much each assignee has, and how much of it is still to be looked at."""
    names = dict.fromkeys(name for review in reviews.values() for name in review.assignees)
    lines = []
    for name in names:
        own = [review for review in reviews.values() if name in review.assignees]
        left = sum(needs(review, name) for review in own)
        has = counted(len(own), language, ("claim", "claims"), ("Aussage", "Aussagen"))
        lines.append(f"{name}: {has}, {left} {chosen(language, 'to do', 'offen')}")
    return lines


def recorded_line(done: Recorded, language: str) -> str:
    """What became of a command that records."""
    parts = [chosen(language, f"{done.new} recorded", f"{done.new} eingetragen")]
    if done.known:
        parts.append(chosen(language, f"{done.known} recorded before", f"{done.known} waren eingetragen"))
    if done.rebuilt:
        rows = counted(done.rebuilt, language, ("claim", "claims"), ("Aussage", "Aussagen"))
        parts.append(rows + chosen(language, " changed since the last review", " seit der letzten Prüfung geändert"))
    return ", ".join(parts)


def claim_lines(subject: Subject, language: str) -> list[str]:
    """A claim with everything that a blind reviewer may see."""
    case, row = subject.case, subject.row
    shown = ", ".join(citation.marker for citation in row.citations)
    lines = [
        f"{row.claim_id}: {row.text}",
        f"{chosen(language, 'Question', 'Frage')}: {case.question}",
        f"{chosen(language, 'Answer', 'Antwort')}: {case.answer or chosen(language, 'none', 'keine')}",
        f"{chosen(language, 'Citations shown', 'Gezeigte Zitate')}: {shown or chosen(language, 'none', 'keine')}",
    ]
    if not case.passages:
        lines.append(chosen(language, "No passage was returned", "Keine Passage wurde abgerufen"))
    for passage in case.passages:
        version = "" if passage.document_version is None else f" {passage.document_version}"
        about = chosen(language, " · cited or weighed", " · zitiert oder gewogen")
        mark = about if passage.passage_id in row.passages else ""
        words = chosen(language, "its words were not recorded", "ihr Wortlaut wurde nicht aufgezeichnet")
        place = f"{passage.document_id}{version} {passage.passage_id}"
        text = (passage.text or words).replace("\n", "\n     ")
        lines.append(f"  {passage.rank}. {place}{mark}\n     {text}")
    lines += [f"{chosen(language, 'Absent from the record', 'Fehlt im Datensatz')}: {part}" for part in case.missing]
    return lines


def proposal_lines(subject: Subject, language: str) -> list[str]:
    """What machines propose about a claim."""
    row = subject.row
    name = chosen(language, "Machine", "Maschine")
    said = row.attribution
    lines = [f"{name} · {ATTRIBUTION[said.verdict].in_language(language)} ({said.decider.name}): {said.rationale}"]
    if row.support is None:
        lines.append(f"{name} · {chosen(language, 'nobody looked at support', 'niemand sah auf die Stützung')}")
    else:
        verdict = SUPPORT[row.support.verdict].in_language(language)
        lines.append(f"{name} · {verdict} ({row.support.decider.name}): {row.support.rationale}")
    return lines


def history_lines(events: Iterable[ReviewEvent], language: str) -> list[str]:
    """Every event of a claim, one line each."""
    return [f"{event.version}. {_told(event, language)}" for event in events]


def _told(event: ReviewEvent, language: str) -> str:
    action = event.action
    about = "" if action.supersedes is None else f" ({chosen(language, 'version', 'Version')} {action.supersedes})"
    parts = [f"{event.recorded_at:%Y-%m-%d %H:%M} {action.actor} · {KIND[action.kind].in_language(language)}{about}"]
    parts += _decided(action, language)
    if action.assignee is not None:
        parts.append(action.assignee)
    if action.shown is not None:
        parts.append(CONDITION[action.shown].in_language(language))
    parts += [text for text in (action.reason, action.note) if text is not None]
    return " · ".join(parts)


def _decided(action: ReviewAction, language: str) -> list[str]:
    parts = []
    for decision, words in ((action.attribution, ATTRIBUTION), (action.support, SUPPORT)):
        if decision is not None:
            verdict = words[decision.verdict].in_language(language)  # type: ignore[index]
            parts.append(f"{verdict}: {decision.rationale}")
    condition = next((each.condition for each in (action.attribution, action.support) if each), None)
    return parts if condition is None else [*parts, CONDITION[condition].in_language(language)]


def agreement_head(language: str) -> tuple[str, ...]:
    """The head of the table of agreement."""
    if language == "de":
        return ("Frage", "Zeilen mit ≥ 2", "Roh", "Kappa", "Alpha", "AC1")
    return ("Question", "Rows with ≥ 2", "Raw", "Kappa", "Alpha", "AC1")


def agreement_rows(found: Sequence[Agreement], language: str) -> list[tuple[str, ...]]:
    """One row per question: value, interval, and how many rows stand behind it."""
    return [
        (
            QUESTION[each.question].in_language(language),
            str(each.units),
            *(_figure(figure, language) for figure in (each.raw, each.kappa, each.alpha, each.ac1)),
        )
        for each in found
    ]


def agreement_answer(found: Sequence[Agreement], language: str) -> str:
    """The first line: how far reviewers agree, question by question."""
    parts = []
    for each in found:
        name = QUESTION[each.question].in_language(language)
        n = counted(each.units, language, ("claim", "claims"), ("Aussage", "Aussagen"))
        parts.append(f"{name}: {_figure(each.raw, language)} · {n}")
    return chosen(language, "Equal verdicts by ", "Gleiche Urteile: ") + "; ".join(parts)


def agreement_notes(found: Sequence[Agreement], language: str) -> list[str]:
    """What the figures rest on, and why some are missing."""
    lines = []
    for each in found:
        name = QUESTION[each.question].in_language(language)
        left_out = [f"{count} {NOT_COUNTED[why].in_language(language)}" for why, count in each.not_counted.items()]
        people = ", ".join(each.raters) or chosen(language, "nobody", "niemand")
        cases = counted(each.groups, language, ("case", "cases"), ("Fall", "Fälle"))
        single = chosen(language, f"{each.single} judged once only", f"{each.single} nur einmal beurteilt")
        left = "".join(f", {part}" for part in left_out)
        lines.append(f"{name}: {people} · {cases} · {single}{left}")
        reasons = {
            figure.reason: label
            for label, figure in (("kappa", each.kappa), ("alpha, AC1", each.alpha))
            if figure.reason is not None
        }
        lines += [f"{name}, {label}: {reason}" for reason, label in reasons.items()]
        if each.differing:
            differ = ", ".join(stream.rpartition("/")[2] for stream in each.differing[:10])
            lines.append(f"{name}: {chosen(language, 'verdicts differ on', 'uneinig bei')} {differ}")
    return lines


def _figure(figure: AgreementFigure, language: str) -> str:
    if figure.value is None:
        return chosen(language, "undefined", "undefiniert")
    if figure.lower is None or figure.upper is None:
        return f"{figure.value:.2f} [{chosen(language, 'too little varies', 'zu wenig Streuung')}]"
    return f"{figure.value:.2f} [{figure.lower:.2f}, {figure.upper:.2f}]"


def chain_line(finding: ChainFinding, language: str) -> str:
    """Whether a ledger is whole, in one line."""
    if finding.fault is None:
        against = chosen(
            language,
            f"agrees with the signed checkpoints given: {finding.checkpoints}",
            f"stimmt mit den gegebenen signierten Prüfpunkten überein: {finding.checkpoints}",
        )
        alone = chosen(
            language,
            "without a checkpoint a cut tail or a rewritten ledger does not show",
            "ohne Prüfpunkt fällt ein abgeschnittenes Ende oder ein neu geschriebenes Register nicht auf",
        )
        size = counted(finding.size, language, ("event", "events"), ("Ereignis", "Ereignisse"))
        whole = f"{chosen(language, 'Whole', 'Unversehrt')}: {size}"
        return f"{whole} · {against if finding.checkpoints else alone}"
    where = "" if finding.sequence is None else f" {chosen(language, 'at event', 'bei Ereignis')} {finding.sequence}"
    stream = "" if finding.stream is None else f" ({finding.stream})"
    return f"{chosen(language, 'Broken', 'Beschädigt')}{where}{stream}: {FAULT[finding.fault].in_language(language)}"
