from retrieval.embed.chunks import encode_chunks
from retrieval.embed.hashing import HashingEncoder
from tests.retrieval.minilm import minilm


async def test_what_stands_late_in_a_long_chunk_has_a_vector_of_its_own() -> None:
    late = "Convulsions were seen in two dogs at 100 mg/kg."
    long = "The diet was analysed for contaminants by the supplier. " * 60 + late
    vectors, parts = await encode_chunks(minilm(), [("Toxicity in dogs", long), ("", "A short text")])
    assert parts == [len(minilm().windows(long, "Toxicity in dogs")), 1]
    assert vectors.shape == (sum(parts), 384)
    asked = (await minilm().encode(["Which convulsions occurred in dogs?"]))[0]
    nearness = vectors[: parts[0]] @ asked
    assert nearness.argmax() == parts[0] - 1
    assert nearness[-1] > nearness[0] + 0.1


async def test_an_encoder_of_any_length_needs_one_vector_each() -> None:
    vectors, parts = await encode_chunks(HashingEncoder(32), [("head", "word " * 5000), ("", "")])
    assert parts == [1, 1]
    assert vectors.shape == (2, 32)


async def test_no_chunk_gives_no_vector() -> None:
    vectors, parts = await encode_chunks(minilm(), [])
    assert (vectors.shape, parts) == ((0, 384), [])
