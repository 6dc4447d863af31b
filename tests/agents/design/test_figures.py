"""Top-10 AUC as PMO defines it, and means with Student's interval."""

import pytest

from agents.chemistry.molecule import medicines
from agents.design.evaluate.figures import figures, mean_of, over_seeds, top_auc


def test_a_perfect_series_has_the_most_that_the_definition_allows() -> None:
    assert top_auc([1.0] * 1_000, 1_000) == pytest.approx(0.95)
    assert top_auc([1.0] * 1_000, 1_000, every=1) == pytest.approx(0.9995)


def test_the_order_of_arrival_counts_and_a_short_series_is_held() -> None:
    late = [0.0] * 500 + [1.0] * 500
    assert top_auc(late, 1_000) == pytest.approx(0.45)
    assert top_auc(sorted(late, reverse=True), 1_000) == pytest.approx(0.95)
    assert top_auc([1.0] * 100, 1_000) == pytest.approx(0.95)


def test_the_area_is_that_of_pmo_by_hand() -> None:
    arrival = [0.2, 0.4, 0.0, 0.8, 0.6]
    # the two best after 2, 4 and 5 of 6 calls: 0.3, 0.6, 0.7, which is held for the last call
    by_hand = (2 * (0 + 0.3) / 2 + 2 * (0.3 + 0.6) / 2 + 1 * (0.6 + 0.7) / 2 + 1 * 0.7) / 6
    assert top_auc(arrival, 6, top=2, every=2) == pytest.approx(by_hand)
    sorted_first = (2 * (0 + 0.7) / 2 + 3 * 0.7 + 1 * 0.7) / 6
    assert top_auc(sorted(arrival, reverse=True), 6, top=2, every=2) == pytest.approx(sorted_first)


def test_figures_name_both_orders_and_count_circles() -> None:
    scored = [(one, float(at)) for at, one in enumerate(list(medicines().values())[:150])]
    told = figures(scored, 150, {scored[-1][0].inchikey, scored[0][0].inchikey})
    assert told.published10 == 1
    assert told.sorted > told.arrival
    assert told.designed < told.arrival == figures(scored, 150).designed
    assert (told.calls, told.top10) == (150, 144.5)
    assert 0.8 < told.diversity < 1
    assert told.circles75 >= told.circles85 > 1


def test_a_mean_of_one_seed_has_no_interval() -> None:
    assert mean_of([0.5]).half_width is None
    assert mean_of([0.4, 0.5, 0.6]).half_width == pytest.approx(4.30 * 0.1 / 3**0.5)


def test_searches_of_the_same_seeds_are_compared_seed_by_seed() -> None:
    molecules = list(medicines().values())[:30]
    low, high = (
        [figures([(one, value + seed) for one in molecules], 30) for seed in (0.1, 0.3, 0.5)]
        for value in (0.0, 0.2)
    )
    told = over_seeds(high, low)["top10"]
    assert told.value == pytest.approx(0.2)
    assert told.half_width == pytest.approx(0, abs=1e-9)
    assert over_seeds(high)["top10"].half_width == pytest.approx(4.30 * 0.2 / 3**0.5)
