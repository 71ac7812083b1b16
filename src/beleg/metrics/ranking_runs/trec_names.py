"""What trec_eval calls measures, in which order it prints them, and its short names for several."""

from __future__ import annotations

from beleg.metrics.ranking_runs.kinds import Measure
from beleg.metrics.ranking_runs.registry import KINDS

TREC_ORDER = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG",
    "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P",
    "set_recall", "set_map", "set_F", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj",
    "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair", "prefs_avgjg",
    "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg",
)  # fmt: skip
"""The order in which trec_eval prints measures, whatever the order in which they are asked for."""

_FIRST = ("runid", "num_q")
_COUNTS = ("num_ret", "num_rel", "num_rel_ret")
NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": (*_FIRST, *_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_FIRST, *_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    "all_trec": TREC_ORDER[: TREC_ORDER.index("unj") + 1],
    "prefs": (
        *_FIRST, "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
        "prefs_avgjg", "prefs_avgjg_Rnonrel",
    ),
    "all_prefs": (*_FIRST, *(name for name in TREC_ORDER if name.startswith("prefs_"))),
    "qrels_jg": (*_FIRST, *TREC_ORDER[-3:]),
}  # fmt: skip
"""What trec_eval prints for its short names; ``official`` is what it prints where no measure is named."""

PLAIN = {kind.plain: name for name, kind in KINDS.items() if kind.plain}
AT_CUT = {kind.at_cut: name for name, kind in KINDS.items() if kind.at_cut}


def trec_stem(measure: Measure) -> str | None:
    """What trec_eval calls the measure, its cutoff aside, or nothing where it has no such measure.

    The relevance level is an option of a whole call there: a measure that names its own has no name there.
    """
    kind = measure.kind
    if "rel=" in measure.label:
        return None
    own = tuple((key, value) for key, value in measure.options if key != kind.trec_parameter)
    if own != kind.trec_options:
        return None
    return kind.plain if measure.cut is None and measure.level is None else kind.at_cut


def trec_name(measure: Measure) -> str:
    """The name that trec_eval prints, or that of Beleg where trec_eval has no such measure.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measure
        >>> trec_name(parse_measure("nDCG@10")[0])
        'ndcg_cut_10'
    """
    if measure.printed is not None:
        return measure.printed
    stem = trec_stem(measure)
    if stem is None or measure.options[len(measure.kind.trec_options) :]:
        return measure.label if measure.rel != 1 else str(measure)
    cut = measure.cut if measure.level is None else f"{measure.level:.2f}"
    return stem if cut is None else f"{stem}_{cut}"


def trec_place(measure: Measure) -> tuple[int, float]:
    """Where trec_eval prints the measure; what it does not know comes last."""
    stem = trec_stem(measure)
    cut = measure.level if measure.cut is None else measure.cut
    return TREC_ORDER.index(stem) if stem else len(TREC_ORDER), cut or 0
