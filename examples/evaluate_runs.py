"""Measure ranked lists that Python holds: python examples/evaluate_runs.py"""

import numpy as np

from beleg import ir

qrels = {"q1": {"d1": 2, "d2": 0, "d5": 1}, "q2": {"d3": 1}}
run = {"q1": {"d2": 0.9, "d1": 0.8, "d4": 0.3}, "q2": {"d3": np.float32(0.5), "d1": 0.5}}

report = ir.evaluate(qrels, run, ["nDCG@10", "RR", "R(rel=2)@10"])
print(report.summary())
print(report.per_query()["q1"])
print(report.counts())

# Ranked ids without scores, and columns of numbers: the figures do not depend on the form.
print(ir.evaluate(qrels, {"q1": ["d2", "d1", "d4"], "q2": ["d3", "d1"]}, "nDCG@10").summary())
columns = {"query_id": ["q1", "q1", "q2"], "doc_id": ["d2", "d1", "d3"], "score": np.array([0.9, 0.8, 0.5])}
print(ir.evaluate(qrels, columns, "nDCG@10").summary())

# What an index returns: a row of numbered documents for each query, -1 where it found fewer.
found = ir.ranked_lists(np.array([[7, 3], [5, -1]]), queries=["q1", "q2"])
print(ir.evaluate({"q1": {3: 1}, "q2": {5: 1}}, found, "RR").summary())

# Passages of documents, ended where a prompt of 800 tokens ends.
passages = {"q1": {"d1#4": 0.9, "d1#0": 0.8, "d5#2": 0.7}, "q2": {"d3#1": 0.6}}
tokens = {"d1#4": 300, "d1#0": 400, "d5#2": 200, "d3#1": 500}
shape = ir.Shape(fold="best", parent_separator="#", tokens=tokens, budget_tokens=800)
print(ir.evaluate(qrels, passages, "R@10", shape=shape).summary())
