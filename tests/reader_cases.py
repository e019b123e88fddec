"""Tables of scores as people have them, and what every reader must take them for."""

import csv
import io

import numpy as np

# By text: classes, the positive one, and scores by model (of the positive class).
READ: dict[str, tuple[list[str], str, dict[str, list[float]]]] = {
    "y,score\n1,0.9\n0,0.2\n0,0.1\n": (["0", "1"], "1", {"score": [0.9, 0.2, 0.1]}),
    "id,y,score\n7,1,0.9\n8,0,0.2\n": (["0", "1"], "1", {"score": [0.9, 0.2]}),
    "y    score\n1    0.9\n0    0.2\n": (["0", "1"], "1", {"score": [0.9, 0.2]}),
    "  y score\n  1   0.9\n  0  -0.2\n": (["0", "1"], "1", {"score": [0.9, -0.2]}),
    ",y,score\n0,1,0.9\n1,0,0.2\n": (["0", "1"], "1", {"score": [0.9, 0.2]}),
    "Unnamed: 0,y,score\n0,1,0.9\n1,0,0.2\n": (["0", "1"], "1", {"score": [0.9, 0.2]}),
    "y,p0,p1\n1,0.1,0.9\n0,0.8,0.2\n": (["0", "1"], "1", {"": [0.9, 0.2]}),
    "y,proba_a,proba_b\na,0.9,0.1\nb,0.2,0.8\nb,0.4,0.6\n": (
        ["a", "b"],
        "a",
        {"": [0.9, 0.2, 0.4]},
    ),
    # As caret, tidymodels, KNIME and RapidMiner write the probabilities of the classes.
    **{
        f"{label},{first},{second},{predicted}\nsick,0.9,0.1,sick\nwell,0.2,0.8,sick\n"
        "well,0.4,0.6,well\n": (["sick", "well"], "sick", {"": [0.9, 0.2, 0.4]})
        for label, first, second, predicted in (
            ("obs", "sick", "well", "pred"),
            ("truth", ".pred_sick", ".pred_well", ".pred_class"),
            ("y", "P (y=sick)", "P (y=well)", "Prediction (y)"),
            ("label", "confidence(sick)", "confidence(well)", "prediction(label)"),
            ("observed", "prob.sick", "prob.well", "response"),
        )
    },
    # As Keras, DataRobot, MLflow and Azure write them; Spark for two models.
    "y_true;y_pred\n[1.];[0.9]\n[0.];[2.e-01]\n": (["0", "1"], "1", {"": [0.9, 0.2]}),
    "row_id,Class_1 Prediction,Class_0 Prediction,late\n0,0.9,0.1,1\n1,0.2,0.8,0\n": (
        ["1", "0"],
        "1",
        {"": [0.9, 0.2]},
    ),
    "target,prediction,score_class_0,score_class_1\n1,0,0.6,0.4\n0,1,0.2,0.8\n1,1,0.1,0.9\n": (
        ["0", "1"],
        "1",
        {"": [0.4, 0.8, 0.9]},
    ),
    'y,Scored Probabilities for Class "yes",Scored Probabilities for Class "no"\nyes,0.9,0.1\n'
    "no,0.2,0.8\n": (["yes", "no"], "yes", {"": [0.9, 0.2]}),
    'model,y,probability\na,1,"[0.1,0.9]"\na,0,"[0.8,0.2]"\nb,1,"[0.6,0.4]"\nb,0,"[0.7,0.3]"\n': (
        ["0", "1"],
        "1",
        {"a": [0.9, 0.2], "b": [0.4, 0.3]},
    ),
    "y,pred,prob_a,prob_b\n1,0,0.4,0.9\n0,1,0.6,0.2\n1,1,0.7,0.8\n": (
        ["0", "1"],
        "1",
        {"prob_a": [0.4, 0.6, 0.7], "prob_b": [0.9, 0.2, 0.8]},
    ),
    "y,fit,lwr,upr,pred_std\n1,0.9,0.8,0.97,0.1\n0,0.2,0.1,0.4,0.1\n0,0.3,0.1,0.5,0.2\n": (
        ["0", "1"],
        "1",
        {"": [0.9, 0.2, 0.3]},
    ),
    "label,xgb,logreg\n1,0.9,0.8\n0,0.2,0.3\n0,0.1,0.15\n": (
        ["0", "1"],
        "1",
        {"xgb": [0.9, 0.2, 0.1], "logreg": [0.8, 0.3, 0.15]},
    ),
    "churned,p_churn\nyes,0.9\nno,0.2\nno,0.1\n": (
        ["no", "yes"],
        "yes",
        {"p_churn": [0.9, 0.2, 0.1]},
    ),
    "churned,age,p_churn\n1,31,0.9\n0,40,0.2\n0,52,0.1\n": (
        ["0", "1"],
        "1",
        {"p_churn": [0.9, 0.2, 0.1]},
    ),
    "y,score\n1,0.9\n2,0.2\n2,0.1\n": (["1", "2"], "1", {"score": [0.9, 0.2, 0.1]}),
    "y,score\n1,0.9\n1,0.8\n2,0.2\n": (["1", "2"], "2", {"score": [0.9, 0.8, 0.2]}),
    "y,score\n-1,0.9\n1,0.8\n1,0.2\n": (["-1", "1"], "1", {"score": [0.9, 0.8, 0.2]}),
    "y,score\n1.0,3\n0.0,-2e1\n": (["0", "1"], "1", {"score": [3.0, -20.0]}),
    "y,score,cost_fp,cost_fn\n1,0.9,1,20\n0,0.2,2,30\n0,0.1,1,7\n": (
        ["0", "1"],
        "1",
        {"score": [0.9, 0.2, 0.1]},
    ),
    "y,a,b,Cost\n1,0.9,0.8,0.5\n0,0.2,0.3,0.2\n0,0.1,0.15,0.7\n": (
        ["0", "1"],
        "1",
        {"a": [0.9, 0.2, 0.1], "b": [0.8, 0.3, 0.15]},
    ),
    "y,sick\nsick,0.9\nwell,0.2\nsick,0.3\n": (["sick", "well"], "sick", {"sick": [0.9, 0.2, 0.3]}),
    "y,score\nill,0.9\nwell,0.8\nill,0.7\nwell,0.3\nwell,0.2\n": (
        ["ill", "well"],
        "ill",
        {"score": [0.9, 0.8, 0.7, 0.3, 0.2]},
    ),
    "\ufefflabel;note;p\r\nyes;x;0,5\r\nno;z;1e-3\r\n\r\n": (
        ["no", "yes"],
        "yes",
        {"p": [0.5, 0.001]},
    ),
    'y,a,"b, c",fold\na,0.7,0.3,1\n"b, c",0.1,0.9,2\na,0.6,0.4,1\n': (
        ["a", "b, c"],
        "b, c",
        {"": [0.3, 0.9, 0.4]},
    ),
    "True,score\ntrue,0.4\nfalse,0.3\n": (["False", "True"], "True", {"score": [0.4, 0.3]}),
    "target,weight,fold,prediction\nb,1,0,0.4\na,2,1,0.3\na,1,0,0.2\n": (
        ["a", "b"],
        "b",
        {"prediction": [0.4, 0.3, 0.2]},
    ),
    # Names of several words, in any case and with any marks between.
    **{
        f"{name},age,{score}\n1,31,0.9\n0,40,0.2\n0,52,0.1\n": (
            ["0", "1"],
            "1",
            {score: [0.9, 0.2, 0.1]},
        )
        for name, score in (
            ("True class", "Predicted probability"),
            ("true_label", "p(1)"),
            ("Actual", "Y Score"),
            ("y true", "P(y=1)"),
            ("Ground\u00a0Truth", "PROB."),
            ("actual-label", "Churn Probability"),
            ("yTrue", "decisionFunction"),
        )
    },
    "True class,P(sick),Years\nsick,0.9,30\nwell,0.2,41\nwell,0.1,9\n": (
        ["sick", "well"],
        "sick",
        {"P(sick)": [0.9, 0.2, 0.1]},
    ),
    "Actual;p [a];p [b]\na;60 %;40 %\nb;10 %;90 %\na;71 %;29 %\n": (
        ["a", "b"],
        "b",
        {"": [40 / 100, 90 / 100, 29 / 100]},
    ),
    "y,p\n1,41.7%\n0,8%\n0,1e-2 %\n": (["0", "1"], "1", {"p": [41.7 / 100, 0.08, 1e-4]}),
    "y;p\n1;41,7%\n0;8,25%\n": (["0", "1"], "1", {"p": [41.7 / 100, 0.0825]}),
    "outcome\tscore (%)\n1\t41.7\n0\t0.5\n": (
        ["0", "1"],
        "1",
        {"score (%)": [41.7 / 100, 0.5 / 100]},
    ),
    "y,xgb pct,logreg percent\n1,90,80\n0,20,30\n0,10,15\n": (
        ["0", "1"],
        "1",
        {"xgb pct": [0.9, 0.2, 0.1], "logreg percent": [0.8, 0.3, 0.15]},
    ),
    'y,score\n1,"0,02"\n0,"0,5"\n': (["0", "1"], "1", {"score": [0.02, 0.5]}),
    'y,score\n"1","1,234.5"\n"0","-12,000"\n': (["0", "1"], "1", {"score": [1234.5, -12000.0]}),
    'y,score\n1,"1,234,567"\n0,"2,000"\n': (["0", "1"], "1", {"score": [1234567.0, 2000.0]}),
    'y,score\n1,"1,234"\n0,0.5\n': (["0", "1"], "1", {"score": [1234.0, 0.5]}),
    "y;score\n1,0;1.234,5\n0,0;0,25\n": (["0", "1"], "1", {"score": [1234.5, 0.25]}),
    "y;score\n1;1\u00a0234,5\n0;\u2212999\n": (["0", "1"], "1", {"score": [1234.5, -999.0]}),
    "y;score\n1;12'345.5\n0;7\u202f000\n": (["0", "1"], "1", {"score": [12345.5, 7000.0]}),
    '\ufeffsep=;\r\n"True  class";"score"\r\n"yes";"0.9"\r\n"no";"0.2"\r\n': (
        ["no", "yes"],
        "yes",
        {"score": [0.9, 0.2]},
    ),
    "\ufeff\u00a0y\u00a0,\u200bp\n1\u00a0,\u00a00.9\n0,0.2\n": (["0", "1"], "1", {"p": [0.9, 0.2]}),
}
# By text: what is said, whatever comes before and after it.
REFUSED: dict[str, str] = {
    "": "the file is empty",
    "y,score\n": "the table has no rows",
    "0,0.5\n1,0.7\n": "the first line has numbers only (0,0.5); name the columns there",
    "a,b,c\n1,0.9,x\n2,0.3,z\n3,0.2,w\n": "no column is called y, y_true, ytrue, label, "
    "labels, target or the like, and not just one has two values",
    "id,y,score\np1,1,0.9\np2,0,0.2\nTotal,1,0.5\n": "row 3, column 'id': 'Total' names a sum",
    "y,score\n1,0.9\n0,0.2\nGrand Total,1.1\n": "row 3, column 'y': 'Grand Total' names a sum",
    "y,score,n\n1,0.9,3\n0,0.2,4\n,Sum:,7\n": "row 3, column 'score': 'Sum:' names a sum",
    "shop,y,score\nA,1,0.9\nA,0,0.2\nOverall (n=2),1,0.9\n": "row 3, column 'shop': 'Overall",
    "site,y,score\nAll,1,0.9\nAll,0,0.2\nA,1,0.9\nA,0,0.2\n": "row 1, column 'site': 'All'",
    "y,score\n1,0.9\n0,high\n": "row 2, column 'score': 'high' is no number",
    "y,score\n1,0.9\n0,\n": "row 2, column 'score': no value",
    "y,score\n1,0.9\n0,NA\n": "row 2, column 'score': no value",
    "y,score\n1,0.9\n0\n": "row 2, column 'score': no value",
    "y,score\n1,0.5\n0,-1e308\n": "row 2, column 'score': beyond 1e150; divide all by one number",
    "y,score\n1,inf\n0,0.3\n": "row 1, column 'score': 'inf' is not finite",
    'y,score\n1,"0,02"\n0,0.5\n': "row 1, column 'score': '0,02' has a decimal comma; write 0.02",
    "y;p\n1;1.000,5\n0;0.5\n": "row 1, column 'p': '1.000,5' has a decimal comma; write 1000.5",
    "y;p\n1;1,234\n0;2,500\n": "row 1, column 'p': '1,234' may be 1234 or 1.234; write one of them",
    "y,p\n1,41.7%\n0,0.2\n": "row 2, column 'p': '0.2' has no % as other rows have",
    "Actual\tp (%)\n1\t0.4\n0\t0.2\n": "column 'p (%)': is called percent, and no value is above 1",
    "y,p\n1,41.7 %%\n0,2%\n": "row 1, column 'p': '41.7 %%' is no number",
    "y true,Ground-Truth,p\n1,1,0.3\n0,0,0.2\n": "columns ['y true', 'Ground-Truth'] may all be",
    "y,score\n1,0.9\n0,0.1,3\n": "a row has more cells than the first line has names",
    "y,score\n,0.9\n0,0.1\n1,0.3\n": "row 1, column 'y': empty",
    "y,score\n1,0.9\n1,0.2\n": "column 'y' has only the class '1'; an analysis needs objects",
    "y,s,s\n1,0.9,1\n0,0.2,1\n": "two columns are called 's'",
    "y,s, s\n1,0.9,1\n0,0.2,1\n": "two columns are called 's'",
    "y,score\na,1\nb,2\nc,3\n": "no column of scores for class 'a' of 3; columns are ['score']",
    "y,score\n1,0.9\n0,0.2\n0,0.1\ny,score\n1,0.8\n": "row 4 repeats the names",
    "ROC;;\nMarker: CRP;;\nid;CRP;y\na;1;0\nb;2;1\n": "line 1 names 1 of 3 columns (ROC;;); delete",
    "y,a (0),a (1),b (0),b (1)\n1,.1,.9,.2,.8\n0,.7,.3,.4,.6\n": "columns ['a (0)', 'b (0)'] are",
    "id,y,p\nRepeat1,1,.9\nRepeat2,0,.3\nRepeat1,0,.3\n": "wants one of the 2 resamples",
    "=== Predictions ===\n 1 1:a 2:b + .9\n": "is a listing of Weka; save its table as CSV",
    "% Iris\n@RELATION x\n@data\n.9,yes\n": "is an ARFF file; save its table as CSV",
    '{"y":1,"p":.9}\n{"y":0,"p":.3\n': "line 1 is no JSON; give a list of records",
    '{"y":1,"p":0.9}\n{"y":0,"p":0.3\n': "line 2 is no JSON; give a list of records",
    '{"a": 1, "b": [1, 2]}': "JSON without a table of records",
    'y;p\n1;{"a": 0.1}\n0;none\n': "row 2, column 'p': no JSON as in row 1",
    "y,score\n1,#N/A\n0,0.2\n": "row 1, column 'score': no value",
    "y,a,b\na,1,2\nb,3,2\nc,3,2\n": "no column of scores for class 'c' of 3; columns are ['a'",
    "y,target,score\n1,1,0.3\n0,0,0.2\n": "columns ['y', 'target'] may all be true classes",
    "y,prediction,age\n1,0,30\n0,0,41\n1,1,50\n": "by --scores: prediction, age",
    "y,first,age\n1,0.9,30\n0,0.3,41\n0,0.2,50\n": "which column has the scores?",
    "y\n1\n0\n": "there is none",
    **{
        f"y,{first},{second}\n1,0.9,0.1\n0,0.33,0.66\n0,0.2,0.8\n": f"columns ['{first}', "
        f"'{second}'] add up to 1 in each row, as one model's probabilities of both classes do; "
        for first, second in (("bad", "good"), ("p_bad", "p_good"))
    },
    "seed,y,score\n0,1,0.9\n0,0,0.2\n1,1,0.7\n1,0,0.4\n": "column 'seed': one analysis wants",
    "y,score,test_set\n1,0.9,a\n0,0.2,b\n": "column 'test_set': one analysis wants one of the 2",
}

# How people write a number, of the number to two places and the whole one.
_HANDS = {
    "plain": lambda x: f"{x:.2f}",
    "comma": lambda x: f"{x:.2f}".replace(".", ","),
    "percent": lambda x: f"{x:.2f} %",
    "percent, comma": lambda x: f"{x:.2f}%".replace(".", ","),
    "thousands": lambda x: f"{x:,.2f}",
    "thousands, whole": lambda x: f"{x:,.0f}",
    "points": lambda x: f"{x:,.2f}".translate(str.maketrans(",.", ".,")),
    "blanks": lambda x: f"{x:,.2f}".replace(",", "\u00a0"),
    "apostrophes": lambda x: f"{x:,.2f}".replace(",", "'"),
    "minus": lambda x: f"{x:.2f}".replace("-", "\u2212"),
}


def random_tables(count: int) -> dict[str, list[float] | None]:
    """Return tables as many hands write them, with their numbers; None where two hands mix."""
    rng = np.random.default_rng(7)
    found: dict[str, list[float] | None] = {}
    for _ in range(count):
        hand, other = rng.choice(list(_HANDS), 2)
        numbers = np.round(rng.normal(size=6) * 10.0 ** rng.integers(0, 5), 2) + 0.0
        cells = [_HANDS[hand](x) for x in numbers]
        mixed = hand != other and rng.random() < 0.3
        cells[-1] = _HANDS[other](numbers[-1]) if mixed else cells[-1]
        lines = io.StringIO()
        mark = str(rng.choice([",", ";", "\t", "|"]))
        rows = csv.writer(lines, delimiter=mark, quoting=int(rng.integers(2)))
        names = [str(rng.choice(["True class", "ACTUAL", "y"])), "model A"]
        rows.writerows([names, *([k % 2, cell] for k, cell in enumerate(cells))])
        kept = np.round(numbers) if hand == "thousands, whole" else numbers
        values = (kept / 100 if hand.startswith("percent") else kept).tolist()
        found[lines.getvalue()] = None if mixed else values
    return found
