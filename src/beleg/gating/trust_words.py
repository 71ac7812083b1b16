"""What is said of the judge behind a metric, in English and in German."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.calibration import AgreementFigure, CalibrationFigures, CalibrationRecord, ErrorRate, JudgedMetric
from beleg.core.calibration import JudgeStanding as Standing
from beleg.core.decision import Bounds, Sentence
from beleg.core.judging import TaskReference
from beleg.gating.plan import PlannedCheck
from beleg.gating.sentences import both, pick
from beleg.text.figures import Unit, interval_text, limit_text
from beleg.text.numbers import number, percent

MAX_NAMED = 3

NOISE_UNKNOWN = Sentence(
    en="the calibration did not ask anything twice, so the judge's own noise is not known; the policy requires it",
    de="die Kalibrierung hat nichts zweimal gefragt; das Rauschen ist unbekannt, und die Policy verlangt es",
)
FROM_THE_FUTURE = Sentence(
    en="the calibration bears a later date than this decision",
    de="die Kalibrierung ist später datiert als diese Entscheidung",
)

NO_LABELS = Sentence(
    en="the calibration holds no labels of this segment; label items of it, and name it under segments",
    de="die Kalibrierung enthält keine Labels dieses Segments; Einträge daraus labeln und unter segments nennen",
)

ASK_ONE_JUDGE = Sentence(
    en="have the run judged by one judge: beleg judge run",
    de="den Lauf von einem Gutachtermodell beurteilen lassen: beleg judge run",
)


def calibrate_with(missing: int) -> Sentence:
    """What makes a judge believed: so many labels more, or another calibration with those there are."""
    if missing <= 0:
        return Sentence(
            en="calibrate the judge again: beleg judge calibrate",
            de="das Gutachtermodell neu kalibrieren: beleg judge calibrate",
        )
    return Sentence(
        en=f"calibrate the judge: {missing} labels missing (beleg judge calibrate)",
        de=f"das Gutachtermodell kalibrieren: {missing} Labels fehlen (beleg judge calibrate)",
    )


def in_part(part: str, why: Sentence) -> Sentence:
    """Why the judge is not believed in one segment."""
    return Sentence(en=f"in {part}, {why.en}", de=f"in {part}: {why.de}")


def languages_without_labels(languages: Sequence[str]) -> Sentence:
    """Cases in languages that the judge was asked about in English, and in which nobody labelled an item."""
    named = ", ".join(languages[:MAX_NAMED]) + (" …" if len(languages) > MAX_NAMED else "")
    return Sentence(
        en=f"the calibration holds no labels in the language of some cases ({named}); label items in it",
        de=f"die Kalibrierung enthält keine Labels in der Sprache mancher Fälle ({named}); Einträge darin labeln",
    )


def told_of(check: PlannedCheck, why: Sentence) -> Sentence:
    """Why the judge of a metric is not believed."""
    return both(lambda language: f"{check.metric.title(language)}: {why.in_language(language)}")


def not_believed(reason: Sentence) -> Sentence:
    """A finding of a judge that is not believed."""
    return Sentence(
        en=f"{reason.en}; this decides nothing, because its judge is not calibrated (see calibration)",
        de=f"{reason.de}; das entscheidet nichts, denn der Judge ist nicht kalibriert (siehe Kalibrierung)",
    )


def calibrated(check: PlannedCheck, told: JudgedMetric) -> Sentence:
    """The line of a judged metric: judge, labels, false passes, kappa, noise."""

    def make(language: str) -> str:
        labels = number(told.labels, language, decimals=0)
        parts = [
            pick(language, f"judge {_named(told)}, {labels} labels", f"Judge {_named(told)}, {labels} Labels"),
            pick(language, "false pass ", "falsch bestanden ") + _rate(told.false_pass, language),
            f"{pick(language, 'kappa', 'Kappa')} {_agreement(told.kappa, language)}",
        ]
        if told.noise is not None:
            flipped = percent(told.noise.pair_disagreement, language, decimals=1)
            parts.append(pick(language, f"{flipped} of repeats differ", f"{flipped} der Wiederholungen weichen ab"))
        else:
            parts.append(pick(language, "repeat noise not measured", "Rauschen nicht gemessen"))
        if told.human_labels:
            own = number(told.human_labels, language, decimals=0)
            parts.append(pick(language, f"{own} human labels in this run", f"{own} Labels von Menschen in diesem Lauf"))
        if told.calibration is not None:
            parts.append(f"{pick(language, 'record', 'Nachweis')} {_short(told.calibration)}")
        return f"{check.metric.title(language)}: {', '.join(parts)}"

    return both(make)


def no_one_judge(standing: Standing | None) -> Sentence:
    """Nobody judged, nobody knows who did, or several did."""
    if standing is not None and not standing.versions:
        return Sentence(
            en="no judge was asked yet; ask one with: beleg judge run",
            de="noch kein Gutachtermodell wurde gefragt; fragen mit: beleg judge run",
        )
    if standing is None or not (standing.judges or standing.embedders):
        return Sentence(en="nobody knows which judge stands behind it", de="niemand weiß, welcher Judge dahintersteht")
    if standing.unknown:
        return Sentence(
            en=f"{standing.unknown} verdicts name no judge",
            de=f"{standing.unknown} Urteile nennen keinen Judge",
        )
    names = ", ".join(judge.model for judge in standing.judges[:MAX_NAMED])
    return Sentence(
        en=f"more than one judge, setting or version stands behind it ({names}); judge it again with one",
        de=f"dahinter stehen mehrere Judges, Einstellungen oder Versionen ({names}); mit einem beurteilen",
    )


def different_judges(mine: Standing, theirs: Standing | None) -> Sentence:
    """Candidate and baseline were judged differently."""
    old = "?" if theirs is None or not theirs.judges else theirs.judges[0].model
    new = mine.judges[0].model if mine.judges else "?"
    return Sentence(
        en=f"candidate and baseline have different judges or prompts ({new} / {old}) and cannot be compared; judge "
        "both with one",
        de=f"Kandidat und Baseline haben verschiedene Judges oder Prompts ({new} / {old}); "
        "so sind sie nicht vergleichbar, beide mit einem beurteilen",
    )


def never_calibrated(standing: Standing) -> Sentence:
    """No record at all."""
    name = _judge(standing)
    return Sentence(
        en=f"judge {name} is not calibrated for {standing.measure}; calibrate it with: beleg judge calibrate",
        de=f"Judge {name} ist für {standing.measure} nicht kalibriert; dazu: beleg judge calibrate",
    )


def bound_to_no_judge(standing: Standing) -> Sentence:
    """A record that was made from a file of verdicts."""
    return Sentence(
        en=f"the calibration was made from a file of verdicts and vouches for no judge, so not for {_judge(standing)}",
        de="die Kalibrierung entstand aus einer Datei mit Urteilen und bürgt für keinen Judge, auch nicht für "
        f"{_judge(standing)}",
    )


def changed_judge(record: CalibrationRecord, standing: Standing) -> Sentence:
    """A record of another judge, or of the same one with other settings: what differs is named."""
    mine = standing.judges[0].to_json_dict() if standing.judges else {}
    theirs = record.judge.to_json_dict() if record.judge else {}
    differing = sorted(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))
    if (record.embedder or None) != (standing.embedders[0] if standing.embedders else None):
        differing.append("embedder")
    told = ", ".join(f"{name} {theirs.get(name, '–')} → {mine.get(name, '–')}" for name in differing[:MAX_NAMED])
    return Sentence(
        en=f"the judge was changed since it was calibrated ({told}); calibrate it again",
        de=f"der Judge wurde seit der Kalibrierung geändert ({told}); neu kalibrieren",
    )


def changed_threshold(record: CalibrationRecord, standing: Standing) -> Sentence:
    """A dedicated verifier that was cut elsewhere than where it was calibrated."""
    told = f"{record.threshold.threshold:g} → {standing.thresholds[0]:g}"
    return Sentence(
        en=f"the verifier was calibrated at another threshold ({told}); set the calibrated one, or calibrate again",
        de=f"der Prüfer wurde an einer anderen Schwelle kalibriert ({told}); diese setzen oder neu kalibrieren",
    )


def changed_measure(record: CalibrationRecord, standing: Standing) -> Sentence:
    """The measure itself has another version."""
    told = f"{standing.measure} {record.measure_version} → {standing.versions[0]}"
    return Sentence(
        en=f"the measure was changed since the calibration ({told}); calibrate it again",
        de=f"das Maß wurde seit der Kalibrierung geändert ({told}); neu kalibrieren",
    )


def changed_tasks(record: CalibrationRecord, unknown: Sequence[TaskReference]) -> Sentence:
    """A prompt or schema that the calibration did not cover."""
    known = {(task.task, task.language) for task in record.tasks}
    changed = [task for task in unknown if (task.task, task.language) in known]
    names = sorted(f"{task.task} ({task.language})" for task in changed or unknown)
    named = ", ".join(names[:MAX_NAMED])
    if changed:
        return Sentence(
            en=f"prompt or schema was changed since the calibration: {named}; calibrate it again",
            de=f"Prompt oder Schema wurde seit der Kalibrierung geändert: {named}; neu kalibrieren",
        )
    return Sentence(
        en=f"the calibration did not cover {named}; add labelled items that use it",
        de=f"die Kalibrierung umfasst {named} nicht; Labels ergänzen, die es nutzen",
    )


def few_labels(found: int, least: int) -> Sentence:
    """Too few labels behind the record."""
    return Sentence(
        en=f"the calibration rests on {found} labels, {least} are required",
        de=f"die Kalibrierung beruht auf {found} Labels, nötig sind {least}",
    )


def too_old(age: int, most: int) -> Sentence:
    """The record is older than the policy allows."""
    return Sentence(
        en=f"the calibration is {age} days old, at most {most} are allowed",
        de=f"die Kalibrierung ist {age} Tage alt, erlaubt sind höchstens {most}",
    )


def passes_too_much(overall: CalibrationFigures, most: float) -> Sentence:
    """The false pass rate is not proven to be small enough."""
    return both(
        lambda language: pick(
            language,
            f"false pass {_rate(overall.false_pass, language)}; its upper bound must not lie above "
            f"{limit_text(most, language, unit=Unit.PERCENT)}",
            f"falsch bestanden {_rate(overall.false_pass, language)}; die obere Schranke darf nicht über "
            f"{limit_text(most, language, unit=Unit.PERCENT)} liegen",
        )
    )


def agrees_too_little(overall: CalibrationFigures, least: float) -> Sentence:
    """Kappa is not proven to be high enough."""
    return both(
        lambda language: pick(
            language,
            f"kappa {_agreement(overall.kappa, language)}; its lower bound must reach {limit_text(least, language)}",
            f"kappa {_agreement(overall.kappa, language)}; nötig ist die untere Schranke {limit_text(least, language)}",
        )
    )


def no_better_than_chance(overall: CalibrationFigures) -> Sentence:
    """The labels do not show that judge and people agree more than two who guess."""
    return both(
        lambda language: pick(
            language,
            f"kappa {_agreement(overall.kappa, language)} does not prove better agreement with people than chance; "
            "more labels are needed, or another judge",
            f"Kappa {_agreement(overall.kappa, language)} belegt keine bessere Übereinstimmung mit Menschen als "
            "der Zufall; nötig sind mehr Labels oder ein anderes Gutachtermodell",
        )
    )


def _rate(rate: ErrorRate | None, language: str) -> str:
    if rate is None:
        return pick(language, "unknown (people fail no item)", "unbekannt (Menschen lassen nichts durchfallen)")
    bounds = Bounds(estimate=rate.value, lower=rate.lower, upper=rate.upper, confidence=0.95, method="", n=rate.n)
    return f"{interval_text(bounds, language, unit=Unit.PERCENT)} (n {number(rate.n, language, decimals=0)})"


def _agreement(found: AgreementFigure | None, language: str) -> str:
    if found is None or found.value is None:
        return pick(language, "not defined", "nicht definiert")
    bounds = Bounds(estimate=found.value, lower=found.lower, upper=found.upper, confidence=0.95, method="", n=0)
    return interval_text(bounds, language)


def _named(told: JudgedMetric) -> str:
    return told.judges[0].model if told.judges else "?"


def _judge(standing: Standing) -> str:
    return standing.judges[0].model if standing.judges else standing.embedders[0]


def _short(digest: str) -> str:
    return digest.removeprefix("sha256:")[:12]
