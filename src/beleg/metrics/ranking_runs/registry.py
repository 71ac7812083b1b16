"""Every measure of ranked runs, one entry each: add a function and an entry, and it can be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from beleg.metrics.ranking_runs import binary, diversity, graded, preferences, sets, user_models
from beleg.metrics.ranking_runs.kinds import (
    Direction,
    GroupKernel,
    Kernel,
    Kind,
    Parameter,
    PreferenceKernel,
    choice,
    flag,
    gains,
    listed,
    number,
    share,
    whole,
)  # fmt: skip

_CUTS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_LEVELS = tuple(f"{tenth / 10:.2f}" for tenth in range(11))
_MULTIPLES = tuple(f"{fifth / 5:.2f}" for fifth in range(1, 11))
_MOST = 1_000.0
_DEEPEST = 10_000
_UNBOUNDED = (0.0, float("inf"))
_GAINS = (choice("dcg", "log2", "exp-log2"), gains("gains"))
_MAX_REL = (whole("max_rel", None, 1), whole("min_rel", 0, 0))
_T = number("T", 1.0, 1.0, _MOST)
_P = number("p", 0.8, 0.0, 0.999999)
_ALPHA = share("alpha", 0.5)
_RBP = (_P, choice("gain", "binary", "grade"))
_RBP_OF_TREC = (("p", 0.9), ("gain", "grade"))
_WEIGHTS = listed("weights", (1.0, -1.0, 0.0, 0.0), signed=True, length=4)
_BETA = Parameter("beta", None, number("beta", 1.0, 0.0, _MOST).read, "a number from 0 on")


def _counts() -> Iterable[Kind]:
    yield Kind(
        name="RunId", says="the name that the run gives itself", plain="runid", aggregate="text", takes_rel=False,
        direction="neither",
    )  # fmt: skip
    yield Kind(
        name="NumQ", says="judged queries", kernel=binary.one, plain="num_q", aggregate="sum", summary_only=True,
        takes_rel=False, range=_UNBOUNDED, direction="neither",
    )  # fmt: skip
    entries: tuple[tuple[str, str, Kernel, str, Direction], ...] = (
        ("NumRet", "documents returned", binary.returned, "num_ret", "neither"),
        ("NumRel", "relevant documents", binary.relevant, "num_rel", "neither"),
        ("NumRelRet", "relevant documents returned", binary.relevant_returned, "num_rel_ret", "higher"),
        ("NumNonRelRet", "documents returned that are judged not relevant", binary.not_relevant_returned,
         "num_nonrel_judged_ret", "lower"),
    )  # fmt: skip
    for name, says, kernel, plain, direction in entries:
        takes_rel = name != "NumRet"
        yield Kind(
            name=name, says=says, kernel=kernel, plain=plain, aggregate="sum", takes_rel=takes_rel, range=_UNBOUNDED,
            direction=direction,
        )  # fmt: skip


def _binary() -> Iterable[Kind]:
    yield Kind(
        name="AP", says="sum of the precision at each relevant document, over R", kernel=binary.average_precision,
        cut="may", plain="map", at_cut="map_cut", defaults=_CUTS,
    )  # fmt: skip
    yield Kind(
        name="GMAP", says="geometric mean of AP over queries, each at least 0.00001; a query's value is the logarithm",
        kernel=binary.log_average_precision, plain="gm_map", aggregate="geometric", summary_only=True,
        range=(-12.0, 0.0),
    )  # fmt: skip
    yield Kind(name="Rprec", says="precision at rank R", kernel=binary.r_precision, plain="Rprec")
    yield Kind(
        name="Bpref", kernel=binary.binary_preference, plain="bpref",
        says="preference of relevant over judged not relevant documents; unjudged ones are passed over",
    )  # fmt: skip
    yield Kind(
        name="RR", says="1 / rank of the first relevant document", kernel=binary.reciprocal_rank, cut="may",
        plain="recip_rank",
    )  # fmt: skip
    yield Kind(
        name="IPrec", says="best precision from the recall level p on", kernel=binary.interpolated_precision,
        cut="must", cut_is_level=True, at_cut="iprec_at_recall", defaults=_LEVELS,
    )  # fmt: skip
    yield Kind(
        name="P", says="relevant in the top k, over k, however short the list", kernel=binary.precision, cut="must",
        at_cut="P", defaults=_CUTS,
    )  # fmt: skip
    yield Kind(
        name="RelString", says="the grades of the top k as one character each", text_kernel=binary.grades_in_order,
        cut="must", takes_rel=False, plain="relstring", at_cut="relstring", aggregate="text",
        direction="neither",
    )  # fmt: skip
    yield Kind(
        name="R", says="relevant in the top k, over R", kernel=binary.recall, cut="must", at_cut="recall",
        defaults=_CUTS,
    )  # fmt: skip
    yield Kind(
        name="infAP", kernel=binary.inferred_average_precision, plain="infAP",
        says="AP as estimated where a negative grade marks pooled documents that were not judged",
    )  # fmt: skip
    yield Kind(
        name="GMBpref", says="geometric mean of Bpref over queries, as GMAP", kernel=binary.log_binary_preference,
        plain="gm_bpref", aggregate="geometric", summary_only=True, range=(-12.0, 0.0),
    )  # fmt: skip
    yield Kind(
        name="RprecMult", says="precision at rank m · R, which has 0.9 added and is cut",
        kernel=binary.precision_at_share, cut="must", cut_is_level=True, highest_level=_MOST, at_cut="Rprec_mult",
        defaults=_MULTIPLES,
    )  # fmt: skip


def _more_binary() -> Iterable[Kind]:
    yield Kind(
        name="Utility", kernel=sets.utility, plain="utility", trec_parameter="weights",
        says="weighted sum: relevant and other documents of the list, relevant and other ones outside it",
        parameters=(_WEIGHTS, whole("collection", None, 1)), range=(float("-inf"), float("inf")),
    )  # fmt: skip
    yield Kind(
        name="IAP", says="mean of IPrec over recall levels, 0 to 1 in tenths where none is named",
        kernel=binary.mean_interpolated_precision, plain="11pt_avg", trec_parameter="levels",
        parameters=(listed("levels", tuple(tenth / 10 for tenth in range(11))),),
    )  # fmt: skip
    yield Kind(
        name="RelP", says="relevant in the top k, over k or R if that is less", kernel=binary.relative_precision,
        cut="must", at_cut="relative_P", defaults=_CUTS,
    )  # fmt: skip
    yield Kind(
        name="Success", says="1 if a relevant document is in the top k", kernel=binary.success, cut="must",
        at_cut="success", defaults=("1", "5", "10"),
    )  # fmt: skip
    yield Kind(
        name="Accuracy", kernel=binary.accuracy, cut="may",
        says="pairs of a relevant and a not relevant document of the list that stand in the right order, over all such",
    )  # fmt: skip
    yield Kind(
        name="Judged", says="judged documents in the top k, over k or the length of the list if that is less",
        kernel=binary.judged_share, cut="must", takes_rel=False, direction="neither",
    )  # fmt: skip
    yield Kind(
        name="Unjudged", says="documents without a judgement in the top k, over k; a negative grade is none",
        kernel=binary.unjudged_share, cut="must", takes_rel=False, at_cut="unj", defaults=("5", "10", "20"),
        direction="neither",
    )  # fmt: skip


def _sets() -> Iterable[Kind]:
    yield Kind(
        name="SetP", says="relevant documents of the list, over its length", kernel=sets.set_precision, plain="set_P",
        parameters=(flag("relative", default=False),),
    )  # fmt: skip
    yield Kind(
        name="SetRelP", says="relevant documents of the list, over its length or R if that is less",
        kernel=sets.set_precision, plain="set_relative_P", parameters=(flag("relative", default=True),),
    )  # fmt: skip
    yield Kind(name="SetR", says="relevant documents of the list, over R", kernel=binary.recall, plain="set_recall")
    yield Kind(name="SetAP", says="SetP times SetR", kernel=sets.set_average_precision, plain="set_map")
    yield Kind(
        name="SetF", says="(w + 1) P R / (R + w P) of SetP and SetR; w is the square of beta", kernel=sets.set_f,
        plain="set_F", trec_parameter="weight", parameters=(number("weight", 1.0, 0.0, _MOST), _BETA),
    )  # fmt: skip


def _graded() -> Iterable[Kind]:
    yield Kind(
        name="DCG", says="sum of gain / log2(rank + 1)", kernel=graded.discounted_gain, cut="may", takes_rel=False,
        parameters=_GAINS, range=_UNBOUNDED,
    )  # fmt: skip
    yield Kind(
        name="nDCG", kernel=graded.normalised_discounted_gain, cut="may", takes_rel=False, parameters=_GAINS,
        says="DCG over that of the best order, which is cut at k too; grades count as they are",
        plain="ndcg", at_cut="ndcg_cut", defaults=_CUTS, trec_parameter="gains",
    )  # fmt: skip
    for name, says, kernel, plain in (
        ("BinG", "sum of 1 / log2(2 + not relevant documents above), over R", graded.balanced_binary_gain, "binG"),
        ("G", "sum of gain / log2(2 + how much more the best order has gained by then), over all there is to gain",
         graded.balanced_gain, "G"),
        ("nDCGRel", "nDCG at each document with gain, averaged", graded.gain_at_relevant, "ndcg_rel"),
        ("RnDCG", "nDCG where the best order steps to the next grade, averaged", graded.gain_at_levels, "Rndcg"),
    ):  # fmt: skip
        is_binary = name == "BinG"
        yield Kind(
            name=name, says=says, kernel=kernel, plain=plain, takes_rel=name in ("BinG", "RnDCG"),
            parameters=() if is_binary else _GAINS, trec_parameter=None if is_binary else "gains",
        )  # fmt: skip


def _user_models() -> Iterable[Kind]:
    yield Kind(
        name="RBP", says="(1 − p) · sum of gain · p^(rank − 1); gain is 0 or 1, or with gain='grade' the share of the "
        "highest grade of the query", kernel=user_models.rank_biased_precision, cut="may", parameters=_RBP,
        plain="rbp", trec_options=_RBP_OF_TREC,
    )  # fmt: skip
    yield Kind(
        name="RBPResidual", says="what documents without a judgement could add to RBP",
        kernel=user_models.rank_biased_residual, cut="may", takes_rel=False, parameters=(_P,), plain="rbp_resid",
        trec_options=_RBP_OF_TREC[:1], direction="neither",
    )  # fmt: skip
    yield Kind(
        name="ERR", says="expected 1 / rank of a reader whom grade g satisfies with (2^g − 1) / 2^max_grade",
        kernel=user_models.expected_reciprocal_rank, cut="may", takes_rel=False,
        parameters=(whole("max_grade", 4, 1, graded.MAX_EXPONENT),),
    )  # fmt: skip
    yield Kind(
        name="SDCG", says="DCG over that of a list with max_rel at every rank",
        kernel=user_models.scaled_discounted_gain, cut="must", highest_cut=_DEEPEST, takes_rel=False,
        parameters=_MAX_REL,
    )  # fmt: skip
    yield Kind(
        name="BPM", says="mean gain until T is gained, or k is reached", kernel=user_models.bejeweled_player,
        cut="must", highest_cut=_DEEPEST, takes_rel=False, parameters=(number("T", 1.0, 0.001, _MOST), *_MAX_REL),
    )  # fmt: skip
    yield Kind(
        name="INSQ", says="mean gain of a reader who goes on from rank i with ((i + 2T − 1) / (i + 2T))²",
        kernel=user_models.squared_reader, takes_rel=False, parameters=(_T, *_MAX_REL),
    )  # fmt: skip
    yield Kind(
        name="INST", says="INSQ with what is still wanted of T in place of one T", kernel=user_models.goal_reader,
        takes_rel=False, parameters=(_T, *_MAX_REL),
    )  # fmt: skip
    nearly: tuple[tuple[str, str, tuple[Parameter, ...]], ...] = (
        ("NERR8", "1", ()), ("NERR9", "i / (i + 1)", ()), ("NERR10", "p", (number("p", 0.9, 0.0, 0.999999),)),
        ("NERR11", "the factor of INST", (_T,)),
    )  # fmt: skip
    for name, patience, parameters in nearly:
        yield Kind(
            name=name, says=f"mean gain of a reader who goes on from rank i with (1 − gain) · {patience}",
            kernel=user_models.near_reciprocal_rank, cut="must" if name in ("NERR8", "NERR9") else "none",
            highest_cut=_DEEPEST, takes_rel=False, parameters=(*parameters, *_MAX_REL),
        )  # fmt: skip
    yield Kind(
        name="Compat", says="rank-biased overlap with the best order of the documents with a positive grade",
        kernel=user_models.compatibility, takes_rel=False,
        parameters=(number("p", 0.95, 0.0, 0.999999), flag("normalize", default=True)),
    )  # fmt: skip


def _groups() -> Iterable[Kind]:
    for name, says, kernel, plain, at_cut in (
        ("AP_JG", "AP by each group of judgements, averaged", diversity.judged_average_precision, "map_avgjg", None),
        ("P_JG", "P by each group of judgements, averaged", diversity.judged_precision, None, "P_avgjg"),
        ("RprecMult_JG", "RprecMult by each group of judgements, averaged", diversity.judged_precision_at_share, None,
         "Rprec_mult_avgjg"),
    ):  # fmt: skip
        is_level = name.startswith("Rprec")
        yield Kind(
            name=name, says=says, group_kernel=kernel, form="groups", plain=plain, at_cut=at_cut,
            cut="must" if at_cut else "none", cut_is_level=is_level, highest_level=_MOST,
            defaults=() if not at_cut else _MULTIPLES if is_level else _CUTS,
        )  # fmt: skip


def _subtopics() -> Iterable[Kind]:
    one, two = (_ALPHA,), (_ALPHA, share("beta", 0.5))
    none: tuple[Parameter, ...] = ()
    entries: tuple[tuple[str, str, GroupKernel, tuple[Parameter, ...]], ...] = (
        ("alpha_DCG", "DCG whose gain falls by 1 − alpha with every document of the same subtopic above, over the most "
         "that could be gained", diversity.novelty_gain, one),
        ("alpha_nDCG", "alpha_DCG over that of the greedy best order", diversity.normalised_novelty_gain, one),
        ("ERR_IA", "alpha_DCG with 1 / rank for the logarithm", diversity.intent_reciprocal_rank, one),
        ("nERR_IA", "ERR_IA over that of the greedy best order", diversity.normalised_intent_reciprocal_rank, one),
        ("P_IA", "P of each subtopic, averaged", diversity.intent_precision, none),
        ("StRecall", "subtopics with a relevant document in the top k, over all that have one",
         diversity.subtopic_recall, none),
        ("AP_IA", "AP of each subtopic, averaged", diversity.intent_average_precision, none),
        ("NRBP", "alpha_DCG with beta^(rank − 1) for the logarithm", diversity.novelty_rank_biased_precision, two),
        ("nNRBP", "NRBP over that of the greedy best order", diversity.normalised_novelty_rank_biased_precision, two),
    )  # fmt: skip
    for name, says, kernel, parameters in entries:
        # The greedy order is not always the best one, so a run may do a little better than it.
        highest = 1.5 if name in ("alpha_nDCG", "nERR_IA", "nNRBP") else 1.0
        yield Kind(
            name=name, says=says, group_kernel=kernel, form="subtopics", parameters=parameters, range=(0.0, highest),
            cut="none" if name in ("AP_IA", "NRBP", "nNRBP") else "must", highest_cut=_DEEPEST,
        )  # fmt: skip


def _preferences() -> Iterable[Kind]:
    kernel: PreferenceKernel = preferences.figure
    for name, says, plain in (
        ("PrefsPossible", "preferences that the judgements hold", "prefs_num_prefs_poss"),
        ("PrefsFulfilled", "preferences that the run fulfils", "prefs_num_prefs_ful"),
        ("PrefsFulfilledRet", "preferences between returned documents that the run fulfils", "prefs_num_prefs_ful_ret"),
    ):  # fmt: skip
        yield Kind(
            name=name, says=says, preference_kernel=kernel, form="preferences", plain=plain, aggregate="sum",
            takes_rel=False, range=_UNBOUNDED, direction="neither" if name == "PrefsPossible" else "higher",
        )  # fmt: skip
    for suffix, among, tail in (
        ("", "preferences", ""), ("Ret", "preferences between returned documents", "_ret"),
        ("Either", "preferences of which a document is returned", "_imp"),
    ):  # fmt: skip
        for name, says, plain in (
            ("Prefs", f"share of {among} that the run fulfils", "prefs_simp"),
            ("PrefsPair", f"that share of {among} for each pair of documents, averaged over pairs", "prefs_pair"),
            ("PrefsGroup", f"that share of {among} for each group of judgements, averaged over groups", "prefs_avgjg"),
            ("PrefsGroupBalanced", f"PrefsGroup{suffix} as if there were R not relevant documents",
             "prefs_avgjg_Rnonrel"),
        ):  # fmt: skip
            if suffix != "Either" or name != "PrefsGroupBalanced":
                yield Kind(
                    name=f"{name}{suffix}", says=says, preference_kernel=kernel, form="preferences",
                    plain=f"{plain}{tail}", takes_rel=False,
                )  # fmt: skip


def _with_judged_only(kinds: Iterable[Kind]) -> Iterable[Kind]:
    """Lets every measure of a list take the list without documents that have no judgement."""
    for kind in kinds:
        is_of_list = kind.kernel is not None and not kind.summary_only
        judged_only = (flag("judged_only", default=False),) if is_of_list else ()
        yield replace(kind, parameters=(*kind.parameters, *judged_only))


FAMILIES: dict[str, tuple[Kind, ...]] = {
    title: tuple(_with_judged_only(kind for family in families for kind in family()))
    for title, families in (
        ("Counts", (_counts,)),
        ("Relevant or not, in order", (_binary, _more_binary)),
        ("The list as a set", (_sets,)),
        ("Graded gain", (_graded,)),
        ("Readers", (_user_models,)),
        ("Several judges", (_groups,)),
        ("Subtopics: novelty and diversity", (_subtopics,)),
        ("Preferences", (_preferences,)),
    )
}
"""The measures under the headings of the reference page."""

KINDS: dict[str, Kind] = {kind.name: kind for family in FAMILIES.values() for kind in family}
"""Every measure by its name, which is that of ir_measures where that has it."""
