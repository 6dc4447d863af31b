from tests.retrieval.minilm import minilm


async def test_what_stands_late_in_a_long_chunk_is_near_to_its_question() -> None:
    late = "Convulsions were seen in two dogs at 100 mg/kg."
    text = "The diet was analysed for contaminants by the supplier. " * 60 + late
    (windows,) = minilm().windows([text], ["Dog study"])
    nearness = await minilm().encode(windows) @ (await minilm().encode(["Which dogs had convulsions?"]))[0]
    assert nearness.argmax() == len(windows) - 1
    assert nearness[-1] > nearness[0] + 0.1


async def test_windows_are_read_whole_and_no_shorter_than_needed() -> None:
    text = " ".join(f"hepatotoxicity {n}" for n in range(400))
    (windows,) = minilm().windows([text], ["Study of the kidney " * 50])
    assert len(windows) > 5
    tokens = await minilm().encode_tokens(windows)
    assert max(map(len, tokens)) < 256
    assert min(map(len, tokens)) > 150
