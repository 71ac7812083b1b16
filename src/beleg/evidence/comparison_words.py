"""What a comparison of runs says in words of its own: what differs and what is not known, never why."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import Sentence
from beleg.evidence.words import cut, listed, of_names

NO_ANSWER_OLD = Sentence(en="the old run holds no answer", de="der alte Lauf hat keine Antwort")
NO_ANSWER_NEW = Sentence(en="the new run holds no answer", de="der neue Lauf hat keine Antwort")
ANSWER_DIFFERS = Sentence(en="the wording differs", de="der Wortlaut ist verschieden")
QUERY_DIFFERS = Sentence(en="the question is another one", de="die Anfrage ist eine andere")
NO_CITATIONS = Sentence(
    en="citations were not recorded in both runs", de="Zitate sind nicht in beiden Läufen aufgezeichnet"
)
CITATIONS_DIFFER = Sentence(en="other citations are shown", de="es sind andere Zitate zu sehen")
NO_WORDS = Sentence(
    en="the same passages by their ids; their words were not recorded in both runs",
    de="dieselben Passagen nach Kennung; ihr Wortlaut ist nicht in beiden Läufen aufgezeichnet",
)
NO_PASSAGE = Sentence(en="no passage was captured", de="es wurde keine Passage erfasst")
DOCUMENTS_DIFFER = Sentence(en="the documents differ", de="die Dokumente sind verschieden")
SNAPSHOT_DIFFERS = Sentence(en="the collection snapshot has another name", de="der Snapshot der Sammlung heißt anders")
SNAPSHOT_UNKNOWN = Sentence(
    en="not known: neither inventories nor collection snapshots were recorded in both runs",
    de="nicht bekannt: weder Bestände noch Snapshots der Sammlung sind in beiden Läufen aufgezeichnet",
)
NOBODY_JUDGED = Sentence(en="only one of the runs was judged", de="nur einer der Läufe wurde beurteilt")
OTHER_DECIDER = Sentence(
    en="different judges proposed the verdicts; put both runs before one judge with beleg rejudge",
    de="verschiedene Judges haben die Urteile vorgeschlagen; legen Sie beide Läufe mit beleg rejudge einem Judge vor",
)
OTHER_RESTATEMENT = Sentence(
    en="the claim was restated in other words, so the verdicts may be about different things",
    de="die Aussage wurde anders umformuliert; die Urteile können von Verschiedenem handeln",
)
ROW_QUERY = Sentence(
    en="the question is another one, so no verdict is compared",
    de="die Anfrage ist eine andere; verglichen wird kein Urteil",
)
ROW_SNAPSHOT = Sentence(
    en="the row rests on no passage, and the documents are not known to be the same",
    de="die Zeile ruht auf keiner Passage, und ob die Dokumente gleich sind, ist nicht bekannt",
)
FOOTNOTE = Sentence(
    en="A change can be worth a look; this comparison does not say what caused it.",
    de="Eine Änderung kann eine Untersuchung wert sein; dieser Vergleich sagt nicht, was sie verursacht hat.",
)


def failed(which: Sentence, note: str) -> Sentence:
    """That an attempt failed, with what it said."""
    return Sentence(en=f"{which.en}: {cut(note)}", de=f"{which.de}: {cut(note)}")


def row_drifted(names: Sequence[str]) -> Sentence:
    """That a row cannot be compared because passages that it rests on are not what they were."""
    return of_names(
        names,
        "{} is not known to be where it was",
        "{} steht nicht nachweislich, wo es stand",
    )


def drifted(names: Sequence[str]) -> Sentence:
    """That passages are not found as they were."""
    return of_names(names, "not found as captured: {}", "nicht wie erfasst gefunden: {}")


def fields_differ(names: Sequence[str]) -> Sentence:
    """That fields of the configuration differ."""
    return of_names(names, "differs in: {}", "verschieden: {}")


def fields_unknown(names: Sequence[str]) -> Sentence:
    """That nobody can tell whether fields are the same."""
    return of_names(names, "not known in both runs: {}", "nicht in beiden Läufen bekannt: {}")


def verdicts_differ(old: str, new: str) -> Sentence:
    """Two verdicts of the same machine on the same words."""
    return Sentence(en=f"{old} → {new}", de=f"{old} → {new}")


def passages_differ(gone: Sequence[str], added: Sequence[str], reworded: Sequence[str], *, reordered: bool) -> Sentence:
    """How two lists of passages differ."""
    en: list[str] = []
    de: list[str] = []
    for names, english, german in (
        (gone, "gone", "nicht mehr dabei"),
        (added, "new", "neu"),
        (reworded, "other words, version or delivery", "anderer Wortlaut, andere Version oder Übergabe"),
    ):
        if names:
            en.append(f"{english}: {listed(names, 'en')}")
            de.append(f"{german}: {listed(names, 'de')}")
    if reordered:
        en.append("another order")
        de.append("andere Reihenfolge")
    return Sentence(en="; ".join(en), de="; ".join(de))
