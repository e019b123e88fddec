"""Reports without a matrix of classes, and averages beside rates of one class, refute nothing."""

from opchar.printed import check, read_table

ENTITIES = """
Accuracy 0.6162

              precision    recall  f1-score   support

         PER     0.8626    0.7958    0.8278       142
         LOC     0.7727    0.7969    0.7846       128
        DATE     0.7458    0.6377    0.6875        69
         ORG     0.6230    0.5758    0.5984        66

   micro avg     {micro}    0.7333    {f1}       405
"""


def statuses(text):
    return {label: answer.status for label, answer in check(read_table(text)).items()}


def test_an_accuracy_beside_entities_is_tied_to_no_class():
    found = statuses(ENTITIES.format(micro="0.7755", f1="0.7538"))
    assert "impossible" not in found.values()


def test_where_the_micro_average_is_that_of_one_matrix_the_accuracy_is_tied():
    found = statuses(ENTITIES.format(micro="0.7333", f1="0.7333"))
    assert "impossible" in found.values()


def test_a_mean_f_beside_the_rates_of_one_class_is_not_refuted():
    # TP 25, FN 15, FP 11, TN 8: the F of the classes are 50/76 and 16/42.
    table = "Model,Sensitivity,Specificity,Accuracy,F1\nA,0.625,0.421,0.559,{}"
    (answer,) = check(read_table(table.format("0.519"))).values()
    assert answer.status == "not decided"
    assert "mean of both" in answer.reason
    assert answer.hints == ("to check it as the mean of both classes: --taken with F1,macro_f1",)
    (answer,) = check(read_table(table.format("0.912"))).values()
    assert answer.status == "impossible"
