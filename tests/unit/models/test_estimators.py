import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import erf
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from opchar.models.classifiers import mixture
from opchar.models.classifiers.dissimilarity import dis, mindist
from opchar.models.classifiers.gaussian import ldc, nmc, qdc
from opchar.models.classifiers.mixture import k_centres, mogc, softmogc
from opchar.models.classifiers.neighbours import Parzen, knnc, parzenc
from opchar.models.classifiers.support import svc
from opchar.models.mappings import fisher, nlfisher, pca, sc
from opchar.models.posterior import from_distances, likelihood_scale

# What scikit-learn knows of fitted principal components.
FITTED = {
    *("components_", "explained_variance_", "explained_variance_ratio_", "singular_values_"),
    *("mean_", "n_components_", "n_samples_", "n_features_in_", "noise_variance_"),
}


def blobs(n=60, d=3, classes=3, seed=0, apart=2.0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(classes), n // classes)
    means = rng.normal(size=(classes, d)) * apart
    mixing = rng.normal(size=(classes, d, d)) / 2 + np.eye(d)
    X = np.array([means[c] + mixing[c] @ rng.normal(size=d) for c in y])
    return X, y


def normalised(joint):
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("classes", [2, 3])
def test_ldc_is_the_direct_computation(classes):
    X, y = blobs(60 + classes, 3, classes)
    priors = np.bincount(y) / len(y)
    means = [X[y == c].mean(axis=0) for c in range(classes)]
    pooled = sum(p * np.cov(X[y == c].T) for c, p in enumerate(priors))
    joint = [p * multivariate_normal(m, pooled).pdf(X) for p, m in zip(priors, means, strict=True)]
    expected = normalised(np.column_stack(joint))
    assert ldc().fit(X, y).predict_proba(X) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("classes", [2, 3])
def test_qdc_is_the_direct_computation(classes):
    X, y = blobs(60, 3, classes)
    joint = [
        (y == c).mean() * multivariate_normal(X[y == c].mean(axis=0), np.cov(X[y == c].T)).pdf(X)
        for c in range(classes)
    ]
    expected = normalised(np.column_stack(joint))
    assert qdc().fit(X, y).predict_proba(X) == pytest.approx(expected, abs=1e-12)


def test_small_posteriors_keep_their_precision():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    far = ldc().fit(X, y).predict_proba([[-30.0], [-31.0]])
    assert far[0, 1] > far[1, 1] > 0
    assert far[:, 0].tolist() == [1.0, 1.0]


def test_nmc_of_two_classes_is_the_likeliest_sigmoid_of_the_difference():
    X, y = blobs(40, 2, 2, apart=0.7)
    first, second = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    g = X @ (second - first) - (second @ second - first @ first) / 2
    model = nmc().fit(X, y)

    def likelihood(s):
        return -np.logaddexp(0, -s * np.where(y == 1, g, -g)).sum()

    best = likelihood(model.scale_)
    assert best > likelihood(model.scale_ * 1.01)
    assert best > likelihood(model.scale_ * 0.99)
    expected = 1 / (1 + np.exp(-model.scale_ * g))
    assert model.predict_proba(X)[:, 1] == pytest.approx(expected, abs=1e-12)


def test_nmc_of_three_classes_is_the_nearest_neighbour_among_the_means():
    X, y = blobs(66, 3, 3)
    y[:10] = 1
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    variance = np.mean([X[y == c].var(axis=0, ddof=1).mean() for c in range(3)])
    squared = ((X[:, None] - means) ** 2).sum(axis=2)
    model = nmc().fit(X, y)
    shares = 1 - squared / squared.sum(axis=1, keepdims=True)
    assert model.predict_proba(X) == pytest.approx(shares / 2, abs=1e-12)
    alike = knnc(1).fit(means, np.arange(3))
    assert model.predict_proba(X) == pytest.approx(alike.predict_proba(X), abs=1e-12)
    joint = np.exp(model.log_densities(X))
    spherical = np.exp(-squared / 2 / variance) / (2 * np.pi * variance) ** 1.5
    assert joint == pytest.approx(spherical)


def test_the_scale_of_separated_or_useless_discriminants_stays_finite():
    positive = np.array([True, True, False])
    assert likelihood_scale(np.array([2.0, 1.0, -4.0]), positive) == pytest.approx(30 / 4)
    assert likelihood_scale(np.array([-2.0, -1.0, 4.0]), positive) == pytest.approx(1e-3 / 4)
    assert likelihood_scale(np.zeros(3), positive) == 1.0


def reference_hard_em(X, centres, rounds=50):
    """Classification EM with scipy densities, one component after the other."""
    labels = cdist(X, centres).argmin(axis=1)
    for _ in range(rounds):
        parts = [X[labels == k] for k in np.unique(labels)]
        parts = [part for part in parts if len(part) > X.shape[1]]
        total = sum(map(len, parts))
        models = [(len(p) / total, multivariate_normal(p.mean(axis=0), np.cov(p.T))) for p in parts]
        new = np.array(
            [np.argmax([np.log(w) + density.logpdf(x) for w, density in models]) for x in X]
        )
        if (new == labels).all():
            break
        labels = new
    return lambda Z: sum(w * density.pdf(Z) for w, density in models)


def test_hard_em_is_the_plain_reference():
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(40, 2)) + m for m in ([0, 0], [4, 1], [1, 6], [7, 7])])
    y = np.repeat([0, 0, 1, 1], 40)
    model = mogc(2, 3).set_params(random_state=5).fit(X, y)
    random = np.random.RandomState(5)
    densities = []
    for group, size in ((0, 2), (1, 3)):
        part = X[y == group]
        centres = part[k_centres(cdist(part, part), size, 50, random)]
        densities.append(reference_hard_em(part, centres)(X))
    expected = normalised(np.column_stack(densities))
    assert model.predict_proba(X) == pytest.approx(expected, abs=1e-10)


def test_one_component_a_class_is_qdc():
    X, y = blobs(60, 3, 3)
    expected = qdc().fit(X, y).predict_proba(X)
    assert mogc(1).fit(X, y).predict_proba(X) == pytest.approx(expected, abs=1e-10)


def test_components_without_enough_objects_are_given_up():
    X, y = blobs(60, 3, 2)
    X[0] += 1e3  # farther than all others: a component of its own
    model = mogc(2, 1).set_params(random_state=0).fit(X, y)
    assert [len(mixture) for mixture in model.mixtures_] == [1, 1]
    assert model.mixtures_[0][0][0] == 1.0
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("measured", [0, 2, 20])
@pytest.mark.parametrize(("n", "d", "ties"), [(60, 2, True), (90, 1, True), (70, 20, False)])
def test_the_middle_of_a_group_is_that_of_all_distances(n, d, ties, measured, monkeypatch):
    """The first member whose farthest companion is nearest, also where several are as near."""
    monkeypatch.setattr(mixture, "MEASURED", measured)
    rng = np.random.default_rng(d)
    X = rng.integers(0, 4, (n, d)) if ties else rng.normal(size=(n, d))
    D = cdist(X, X)
    for _ in range(40):
        members = rng.random(n) < rng.random()
        objects = np.flatnonzero(members)
        found = mixture._middle(D, members, -1, {})
        if not len(objects):
            assert found == -1
        else:
            assert found == objects[D[np.ix_(objects, objects)].max(axis=1).argmin()]


def test_k_centres_finds_the_groups_and_beats_random_centres():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(20, 2)) + m for m in ([0, 0], [20, 0], [0, 20])])
    D = cdist(X, X)
    centres = k_centres(D, 3, 10, np.random.RandomState(0))
    assert sorted(centres // 20) == [0, 1, 2]
    radius = D[:, centres].min(axis=1).max()
    assert all(radius <= D[:, rng.permutation(60)[:3]].min(axis=1).max() for _ in range(200))


def test_softmogc_weighs_the_mixtures_by_class_frequency():
    X, y = blobs(60, 2, 3)
    y[y == 2] = 0
    model = softmogc(2, 1).set_params(random_state=0).fit(X, y)
    assert np.exp(model.log_priors_) == pytest.approx([2 / 3, 1 / 3])
    weight, mean, covariance = model.mixtures_[1][0]
    assert weight == pytest.approx(1)
    assert mean == pytest.approx(X[y == 1].mean(axis=0))
    assert covariance == pytest.approx(np.cov(X[y == 1].T, ddof=0))


@pytest.mark.parametrize("k", [2, 3, 7])
def test_knnc_counts_neighbours(k):
    X, y = blobs(60, 2, 3)
    Z = X + 0.1
    order = np.argsort(cdist(Z, X), axis=1)[:, :k]
    expected = [[(np.sum(y[row] == c) + 1) / (k + 3) for c in range(3)] for row in order]
    assert knnc(k).fit(X, y).predict_proba(Z) == pytest.approx(np.array(expected), abs=1e-12)


def test_one_neighbour_has_graded_posteriors():
    X, y = blobs(60, 2, 3)
    Z = X + 0.1
    D = cdist(Z, X)
    nearest = np.array([[row[y == c].min() for c in range(3)] for row in D])
    expected = normalised(1 - nearest**2 / (nearest**2).sum(axis=1, keepdims=True))
    found = knnc(1).fit(X, y).predict_proba(Z)
    assert found == pytest.approx(expected, abs=1e-12)
    assert len(np.unique(found[:, 0])) == len(Z)
    assert (found.argmax(axis=1) == y[D.argmin(axis=1)]).all()


def test_distances_of_zero_say_nothing_and_tiny_ones_do_not_underflow():
    assert from_distances(np.zeros((1, 3)))[0] == pytest.approx([1 / 3] * 3)
    assert from_distances(np.array([[1e-200, 3e-200]]))[0] == pytest.approx([0.9, 0.1])
    assert from_distances(np.array([[0.0, 2.0]])).tolist() == [[1.0, 0.0]]


def test_parzenc_sums_kernels_and_takes_the_likeliest_width():
    X, y = blobs(60, 2, 2, apart=1.0)

    def posterior(Z, width, skip=False):
        K = np.exp(-cdist(Z, X, "sqeuclidean") / 2 / width**2)
        if skip:
            np.fill_diagonal(K, 0)
        return normalised(np.column_stack([K[:, y == c].sum(axis=1) for c in range(2)]))

    def likelihood(width):
        return np.log(posterior(X, width, skip=True)[np.arange(len(y)), y]).sum()

    model = parzenc().fit(X, y)
    assert model.predict_proba(X + 0.3) == pytest.approx(
        posterior(X + 0.3, model.width_), abs=1e-12
    )
    assert likelihood(model.width_) >= max(likelihood(w) for w in np.geomspace(0.2, 20, 300)) - 1e-4


@pytest.mark.parametrize("components", [1, 4, 0.5, 0.999])
@pytest.mark.parametrize("order", ["C", "F"])
def test_components_from_a_shared_decomposition_are_those_of_scikit_learn(components, order):
    """To the bit and in the same layout, on which the bits of what follows depend."""
    X = np.random.default_rng(0).normal(size=(9, 30)).copy(order=order)
    pca(2).fit(X)
    ours, theirs = pca(components), PCA(components, svd_solver="full")
    found, wanted = ours.fit_transform(X), theirs.fit_transform(X)
    found[:] = 0  # Whoever changes theirs leaves the next model's as they are.
    for one, other in [
        (pca(components).fit_transform(X), wanted),
        (ours.transform(X), theirs.transform(X)),
        *((each, vars(theirs)[name]) for name, each in vars(ours).items() if name in FITTED),
    ]:
        np.testing.assert_array_equal(one, other)
        assert np.asarray(one).flags.f_contiguous == np.asarray(other).flags.f_contiguous
    assert vars(ours).keys() >= FITTED


@pytest.mark.parametrize("size", [2.0**-300, 2.0**-30, 2.0**30, 2.0**300])
def test_parzenc_finds_its_width_at_any_size_of_the_features(size):
    """Also where single precision, in which most widths are tried, holds no squared distance."""
    y = np.repeat([0, 1, 2], 20)
    X = np.random.default_rng(0).normal(size=(60, 2)) + y[:, None]
    width = parzenc().fit(X, y).width_
    assert parzenc().fit(X * size, y).width_ == pytest.approx(width * size, rel=1e-3)


def test_parzenc_does_not_underflow_far_away():
    X, y = blobs(40, 2, 2)
    far = Parzen(width=0.01).fit(X, y).predict_proba([[1e4, 1e4], [-1e4, 3.0]])
    assert far.sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.parametrize(
    ("model", "kernel"),
    [
        (svc("p", 3), lambda A, B: (A @ B.T + 1) ** 3),
        (svc("r", 2.5), lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / 2.5**2)),
    ],
)
def test_svc_has_the_kernels_of_the_toolbox(model, kernel):
    X, y = blobs(60, 3, 3)
    X = sc().fit_transform(X)
    decisions = []
    for c in range(3):
        machine = SVC(C=1.0, kernel="precomputed", tol=1e-10).fit(kernel(X, X), y == c)
        decisions.append(machine.decision_function(kernel(X, X)))
    expected = normalised(1 / (1 + np.exp(-np.column_stack(decisions))))
    fitted = clone(model).fit(X, y)
    assert fitted.predict_proba(X) == pytest.approx(expected, abs=5e-3)
    two = clone(model).fit(X, y == 1)
    decision = two.machines_[0].decision_function(X)
    assert two.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-decision)), abs=1e-12)
    assert (two.predict(X) == (decision > 0)).all()


def within(X, y):
    return sum((y == c).mean() * np.cov(X[y == c].T) for c in np.unique(y))


def test_fisher_whitens_within_classes_and_orders_the_means():
    X, y = blobs(80, 5, 4)
    Z = fisher().fit(X, y).transform(X)
    assert Z.shape == (80, 3)
    assert within(Z, y) == pytest.approx(np.eye(3), abs=1e-10)
    means = np.cov(np.array([Z[y == c].mean(axis=0) for c in range(4)]).T)
    assert means == pytest.approx(np.diag(np.diag(means)), abs=1e-10)
    assert (np.diff(np.diag(means)) <= 0).all()


def test_fisher_of_two_classes_is_the_textbook_direction():
    X, y = blobs(60, 3, 2)
    direction = np.linalg.solve(within(X, y), X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
    for mapping in (fisher(), nlfisher()):
        found = mapping.fit(X, y).components_
        assert found.shape == (1, 3)
        cosine = abs(found[0] @ direction) / np.linalg.norm(found) / np.linalg.norm(direction)
        assert cosine == pytest.approx(1, abs=1e-12)


def test_nlfisher_weighs_pairs_by_their_overlap():
    X, y = blobs(90, 4, 3)
    y[:9] = 1
    values, vectors = np.linalg.eigh(within(X, y))
    whitening = vectors / np.sqrt(values)
    means = [X[y == c].mean(axis=0) @ whitening for c in range(3)]
    scatter = np.zeros((4, 4))
    for i in range(3):
        for j in range(i):
            difference = means[i] - means[j]
            d = difference @ difference
            weight = erf(np.sqrt(d) / (2 * np.sqrt(2))) / (2 * d)
            scatter += (y == i).mean() * (y == j).mean() * weight * np.outer(difference, difference)
    directions = whitening @ np.linalg.eigh(scatter)[1][:, :-3:-1]
    found = nlfisher().fit(X, y).components_.T
    assert np.abs(found) == pytest.approx(np.abs(directions), abs=1e-10)


def test_pca_by_fraction_keeps_the_fewest_components_above_it():
    X = blobs(90, 6, 3)[0]
    share = np.cumsum(np.linalg.eigvalsh(np.cov(X.T))[::-1])
    share /= share[-1]
    for fraction in (0.5, 0.9, 0.99):
        kept = pca(fraction).fit(X).n_components_
        assert share[kept - 1] > fraction
        assert kept == 1 or share[kept - 2] <= fraction
    assert pca(4).fit_transform(X) == pytest.approx(PCA(4, svd_solver="full").fit_transform(X))


def test_prototypes_are_training_objects_of_every_class():
    X, y = blobs(60, 2, 3)
    y[:] = 0
    y[:2] = [1, 2]
    for seed in range(5):
        mapping = dis(4).set_params(random_state=seed).fit(X, y)
        rows = cdist(mapping.prototypes_, X).argmin(axis=1)
        assert len(np.unique(rows)) == 4
        assert set(y[rows]) == {0, 1, 2}
        assert mapping.transform(X) == pytest.approx(cdist(X, mapping.prototypes_), abs=1e-12)


def test_prototypes_are_drawn_from_the_whole_training_set():
    X, y = blobs(100, 2, 2)
    y[:] = 0
    y[:20] = 1
    shares = []
    for seed in range(200):
        rows = cdist(dis(10).set_params(random_state=seed).fit(X, y).prototypes_, X).argmin(axis=1)
        shares.append(y[rows].mean())
    assert np.mean(shares) == pytest.approx(0.2 / (1 - 0.095), abs=0.03)


def test_mindist_takes_the_class_of_the_nearest_prototype():
    X, y = blobs(60, 2, 3)
    model = make_pipeline(dis(9), mindist()).set_params(randomprototypes__random_state=1)
    model.fit(X, y)
    prototypes = model[0].prototypes_
    owner = y[cdist(prototypes, X).argmin(axis=1)]
    D = cdist(X + 0.2, prototypes)
    assert (model.predict(X + 0.2) == owner[D.argmin(axis=1)]).all()
    nearest = np.array([[row[owner == c].min() for c in range(3)] for row in D])
    assert model.predict_proba(X + 0.2) == pytest.approx(from_distances(nearest), abs=1e-12)


def test_mindist_wants_dissimilarities_to_prototypes_of_every_class():
    with pytest.raises(ValueError, match="wants dissimilarities"):
        mindist().fit([[-1.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="class 1 has no prototype"):
        mindist().fit([[0.0], [1.0]], [0, 1])
