"""Estimators with reject options: scikit-learn's checks, the options, and bad input."""

import pkgutil
from importlib import import_module
from inspect import getmembers, isclass

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.mixture import GaussianMixture
from sklearn.multiclass import OutputCodeClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, OneClassSVM
from sklearn.utils.estimator_checks import check_estimator

import opchar.reject
from opchar.models.classifiers.gaussian import ldc
from opchar.models.classifiers.one_class import GaussianDescription, gauss
from opchar.reject.estimator import NeighbourCloseness, RejectClassifier, class_log_densities
from opchar.reject.outliers import sphere_outliers
from opchar.reject.sequential import SequentialOneClassMultiClass
from opchar.reject.volume import vuc

CHECKED = [
    RejectClassifier(ldc()),
    RejectClassifier(GaussianNB(), distance=0.01),
    RejectClassifier(GaussianNB(), describe="neighbours"),
    RejectClassifier(ldc(), describe=KernelDensity(), ambiguity=0.6),
    RejectClassifier(LogisticRegression(), share=None, ambiguity=0.6),
    SequentialOneClassMultiClass(gauss(), ldc()),
    SequentialOneClassMultiClass(gauss(), GaussianNB(), training="all"),
    SequentialOneClassMultiClass(GaussianMixture(random_state=0), LinearSVC()),
    RejectClassifier(LinearSVC(), describe="neighbours"),
    NeighbourCloseness(),
]


@pytest.mark.parametrize("estimator", CHECKED, ids=repr)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_accepts_the_estimator(estimator):
    check_estimator(estimator, on_skip=None)


def test_every_estimator_of_the_package_is_checked():
    found = set()
    for module in pkgutil.iter_modules(opchar.reject.__path__, "opchar.reject."):
        for name, member in getmembers(import_module(module.name), isclass):
            if issubclass(member, BaseEstimator) and member.__module__ == module.name:
                found.add(name)
    assert found == {type(estimator).__name__ for estimator in CHECKED}


def classes(seed=0, number=200):
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal([0, 0], size=(number, 2)), rng.normal([3, 0], size=(number, 2))])
    return X, np.repeat(["sign", "tree"], number)


FAR = np.array([[-40.0, 0.0], [0.0, 50.0], [44.0, 0.0]])


@pytest.mark.parametrize(
    "model",
    [
        RejectClassifier(ldc()),
        RejectClassifier(GaussianNB(), distance=1e-6),
        RejectClassifier(LogisticRegression(), describe="neighbours"),
        RejectClassifier(LogisticRegression(), describe="neighbours", distance=3),
        RejectClassifier(LogisticRegression(), describe=KernelDensity()),
        RejectClassifier(make_pipeline(PCA(2), ldc())),
        RejectClassifier(RidgeClassifier(), describe="neighbours"),
        SequentialOneClassMultiClass(OneClassSVM(nu=0.05), LogisticRegression(), outlier="tree"),
        SequentialOneClassMultiClass(GaussianMixture(3, random_state=0), SVC(), outlier="tree"),
        SequentialOneClassMultiClass(KernelDensity(), LinearSVC(), outlier="tree"),
    ],
    ids=repr,
)
def test_what_is_far_from_all_training_objects_is_rejected(model):
    X, y = classes()
    model.fit(X, y)
    assert not model.accepts(FAR).any()
    assert model.accepts(np.array([[-0.2, 0.1]])).all()
    if isinstance(model, RejectClassifier):
        assert model.decide(FAR, rejected="?").tolist() == ["?"] * 3
        assert set(model.predict(FAR)) <= {"sign", "tree"}
    else:
        assert set(model.predict(FAR)) == {"tree"}


@pytest.mark.parametrize("describe", [None, "neighbours", KernelDensity()])
def test_the_share_is_rejected_in_each_class(describe):
    X, y = classes()
    model = RejectClassifier(ldc(), describe=describe, share=0.1).fit(X, y)
    for column, name in enumerate(model.classes_):
        if describe == "neighbours":
            own = model.descriptions_[column].training_scores()
        else:
            own = model.typicality(X[y == name])[:, column]
        assert np.mean(own < model.thresholds_[column]) == 0.1


def test_rejected_objects_may_be_given_to_the_outlier_class():
    X, y = classes()
    model = RejectClassifier(ldc(), outlier="tree").fit(X, y)
    assert set(model.predict(FAR)) == {"tree"}
    assert model.predict_proba(FAR)[:2].tolist() == [[0, 1], [0, 1]]
    assert model.accepts(FAR).tolist() == [False, False, True]
    plain = ldc().fit(X, y)
    kept = model.accepts(X)
    assert (model.predict(X)[kept] == plain.predict(X)[kept]).all()


def test_both_scores_stand_side_by_side():
    X, y = classes()
    model = RejectClassifier(ldc(), outlier="tree").fit(X, y)
    typicality, posteriors = model.stage_scores(X)
    assert typicality.tolist() == model.typicality(X)[:, 0].tolist()
    rejected = (posteriors.argmax(axis=1) == 0) & (typicality < model.thresholds_[0])
    assert (model.accepts(X) == ~rejected).all()
    assert rejected.any()
    nearest, _ = RejectClassifier(ldc()).fit(X, y).stage_scores(X)
    assert (nearest >= typicality).all()


@pytest.mark.parametrize("describe", [None, KernelDensity()])
@pytest.mark.parametrize("t_d", [1e300, np.inf])
def test_a_threshold_beyond_all_densities_rejects_everything(describe, t_d):
    X, y = classes()
    model = RejectClassifier(GaussianNB(), describe=describe, distance=t_d).fit(X, y)
    assert not model.accepts(X).any()


def test_distances_to_a_boundary_serve_as_posteriors_do():
    X, y = classes()
    model = RejectClassifier(LinearSVC(), share=None, ambiguity=0.7).fit(X, y)
    assert (model.predict(X) == LinearSVC().fit(X, y).predict(X)).all()
    assert model.decide([[1.5, 0.0], [-1.0, 0.0]]).tolist() == ["reject", "sign"]
    with pytest.raises(ValueError, match="neither predict_proba nor decision_function"):
        RejectClassifier(OutputCodeClassifier(LinearSVC()), share=None).fit(X, y).predict(X)


def test_a_density_model_rejects_a_share_of_its_targets():
    X, y = classes()
    model = SequentialOneClassMultiClass(
        GaussianMixture(3, random_state=0), ldc(), outlier="tree", share=0.2
    ).fit(X, y)
    assert model.accepts(X[y == "sign"]).mean() == pytest.approx(0.8)


def test_ambiguity_rejects_between_the_classes():
    X, y = classes()
    model = RejectClassifier(ldc(), share=None, ambiguity=0.9).fit(X, y)
    found = model.decide([[1.5, 0.0], [-1.0, 0.0], [4.0, 0.0]])
    assert found.tolist() == ["reject", "sign", "tree"]
    assert model.accepts(FAR[[0, 2]]).all()


def test_densities_are_those_of_the_classes():
    X, y = classes()
    model = GaussianNB(priors=[0.2, 0.8]).fit(X, y)
    spread = np.sqrt(model.var_[0])
    z = (X - model.theta_[0]) / spread
    expected = -0.5 * (z**2).sum(axis=1) - np.log(2 * np.pi) - np.log(spread).sum()
    assert class_log_densities(model, X)[:, 0] == pytest.approx(expected)
    counts = MultinomialNB().fit([[1, 2], [2, 1], [0, 3]], [0, 1, 1])
    logs = class_log_densities(counts, np.array([[1, 1]]))
    assert logs == pytest.approx(counts.feature_log_prob_.sum(axis=1)[None])


def test_the_operating_characteristic_of_any_classifier():
    X, y = classes()
    fresh, labels = classes(seed=1)
    rng = np.random.default_rng(2)
    unseen = sphere_outliers(X[y == "sign"], 300, rng)
    volumes = {}
    for name, model in {
        "density": RejectClassifier(ldc()),
        "neighbours": RejectClassifier(LogisticRegression(), describe="neighbours"),
    }.items():
        model.fit(X, y)
        found = model.operating_characteristic(fresh, labels, target="sign", unseen=unseen)
        assert found.sizes.tolist() == [200, 200, 300]
        threshold = model.thresholds_[0]
        point = found.at(0.0, threshold)
        called = (model.predict(unseen) == "sign") & model.accepts(unseen)
        assert point.fpr_unseen == called.mean()
        volumes[name] = vuc(found)
    assert min(volumes.values()) > 0.5
    assert len(model.operating_characteristic(fresh, labels, target="sign").unseen) == 0


def test_the_second_stage_learns_what_the_first_accepts():
    X, y = classes()
    model = SequentialOneClassMultiClass(gauss(), ldc(), outlier="tree").fit(X, y)
    kept = model.accepts(X)
    assert 0 < kept[y == "tree"].sum() < 200
    subset = ldc().fit(X[kept], y[kept])
    assert model.predict_proba(X[kept]) == pytest.approx(subset.predict_proba(X[kept]))
    assert model.predict_proba(X[~kept]).tolist() == [[0, 1]] * int((~kept).sum())
    detector, posteriors = model.stage_scores(X)
    assert ((detector >= model.detector_.threshold_) == kept).all()
    assert posteriors == pytest.approx(subset.predict_proba(X))


def test_split_training_keeps_the_stages_apart():
    X, y = classes()
    model = SequentialOneClassMultiClass(gauss(), ldc(), outlier="tree", training="split")
    one, two = (model.set_params(random_state=0).fit(X, y).predict_proba(X) for _ in range(2))
    assert one.tolist() == two.tolist()
    whole = SequentialOneClassMultiClass(gauss(), ldc(), outlier="tree").fit(X, y)
    assert model.detector_.mean_ != pytest.approx(whole.detector_.mean_)


def test_without_overlap_there_is_nothing_left_to_classify():
    X, y = classes()
    X[y == "tree"] += 100
    model = SequentialOneClassMultiClass(gauss(), ldc(), outlier="tree").fit(X, y)
    assert model.classifier_.classes_.tolist() == ["sign"]
    assert (model.predict(X)[y == "tree"] == "tree").all()
    assert (model.predict(X) == y).mean() > 0.9


class Refusing(GaussianDescription):
    """A detector that accepts nothing."""

    def predict(self, X):
        return np.full(len(X), -1)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RejectClassifier(LogisticRegression()), "has no densities"),
        (RejectClassifier(ldc(), describe="far"), "unknown describe"),
        (RejectClassifier(ldc(), distance=-0.1), "t_d must be"),
        (RejectClassifier(ldc(), distance=np.nan), "t_d must be"),
        (RejectClassifier(ldc(), share=1.0), "share to reject"),
        (RejectClassifier(ldc(), ambiguity=1.1), "threshold on posteriors"),
        (RejectClassifier(ldc(), outlier="bird"), "none of the classes"),
        (RejectClassifier(ldc(), describe=NeighbourCloseness(0)), "one neighbour"),
        (SequentialOneClassMultiClass(gauss(), ldc(), outlier="bird"), "none of the classes"),
        (SequentialOneClassMultiClass(gauss(), ldc(), training="half"), "unknown training"),
        (SequentialOneClassMultiClass(gauss(), ldc(), share=1.0), "share to reject"),
        (SequentialOneClassMultiClass(StandardScaler(), ldc()), "no score_samples to thr"),
        (SequentialOneClassMultiClass(Refusing(), ldc()), "accepts no training object"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_nonsense_is_refused(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*classes())


def test_one_target_object_has_no_other_to_be_close_to():
    X, y = classes()
    X, y = X[199:], y[199:]
    model = RejectClassifier(LogisticRegression(), describe="neighbours").fit(X, y)
    assert model.thresholds_[0] == 0
    assert model.typicality(X[:1])[0, 0] == 0
    assert model.operating_characteristic(X, y, target="sign").sizes.tolist() == [1, 200, 0]
