# Pathways: gene sets of a GMT file that are over-represented among differential genes (hypergeometric test), or
# that gather at an end of the ranked list (GSEA, Subramanian 2005: weighted running sum, gene permutations).
source(file.path("in", "pestle.R"))

# Gene sets: name, description and genes, separated by tabs.
read_sets <- function(name) {
  rows <- strsplit(readLines(file.path("in", name), warn = FALSE), "\t", fixed = TRUE)
  rows <- rows[lengths(rows) > 2]
  sets <- lapply(rows, function(row) unique(toupper(sub(",.*", "", row[-(1:2)]))))
  setNames(sets, vapply(rows, `[`, "", 1))
}

over_represented <- function(sets, ranked) {
  chosen <- ranked$gene[!is.na(ranked$padj) & ranked$padj < parameters$alpha]
  if (!length(chosen)) wrong_input("no gene has an adjusted p below ", parameters$alpha)
  inside <- vapply(sets, function(set) sum(set %in% chosen), 1)
  p <- phyper(inside - 1, lengths(sets), nrow(ranked) - lengths(sets), length(chosen), lower.tail = FALSE)
  expected <- lengths(sets) * length(chosen) / nrow(ranked)
  tell("%s of %s genes have an adjusted p below %s.", counted(length(chosen)), counted(nrow(ranked)),
       format(parameters$alpha))
  data.frame(set = names(sets), genes = lengths(sets), differential = inside, enrichment = inside / expected, p = p)
}

# The enrichment score of genes at some places of a ranked list.
score_at <- function(places, weights) {
  places <- sort(places)
  rises <- weights[places] / sum(weights[places])
  falls <- (places - seq_along(places)) / (length(weights) - length(places))
  high <- cumsum(rises) - falls
  low <- high - rises
  if (max(high) > -min(low)) max(high) else min(low)
}

# The share of `by_chance` that is at least as extreme as each of `scores`, all of one sign.
tail_share <- function(scores, by_chance) {
  by_chance <- sort(abs(by_chance))
  (length(by_chance) - findInterval(abs(scores), by_chance, left.open = TRUE) + 1) / (length(by_chance) + 1)
}

# Scores are divided by the mean of what chance gives sets of about the same size; p is the share of these, and the
# rate of false discoveries is taken over all sets together, as in the original method.
ranked_enrichment <- function(sets, ranked) {
  weights <- abs(ranked$statistic)
  sizes <- lengths(sets)
  like <- round(10^(round(log10(sizes) * 20) / 20))
  scores <- vapply(lapply(sets, match, table = ranked$gene), score_at, 1, weights = weights)
  enrichment <- p <- numeric(length(sets))
  every <- numeric()
  for (size in unique(like)) {
    found <- replicate(parameters$permutations, score_at(sample.int(length(weights), size), weights))
    for (side in c(-1, 1)) {
      same <- found[sign(found) == side]
      here <- which(like == size & sign(scores) == side)
      enrichment[here] <- scores[here] / mean(abs(same))
      p[here] <- tail_share(scores[here], same)
      every <- c(every, rep(same / mean(abs(same)), sum(like == size)))
    }
  }
  padj <- numeric(length(sets))
  for (side in c(-1, 1)) {
    here <- which(sign(enrichment) == side)
    observed <- rank(-abs(enrichment[here]), ties.method = "max") / length(here)
    rate <- pmin(1, tail_share(enrichment[here], every[sign(every) == side]) / observed)
    order <- order(-abs(enrichment[here]))
    padj[here[order]] <- rev(cummin(rev(rate[order])))
  }
  data.frame(set = names(sets), genes = sizes, score = scores, enrichment = enrichment, p = p, padj = padj)
}

ranked <- read_any(parameters$ranked)
ranked$gene <- toupper(ranked[[parameters$gene_column]])
ranked <- ranked[!is.na(ranked$statistic) & !duplicated(ranked$gene), ]
ranked <- ranked[order(-ranked$statistic), ]
sets <- lapply(read_sets(parameters$sets), intersect, ranked$gene)
sets <- sets[lengths(sets) >= parameters$least_genes & lengths(sets) <= parameters$most_genes]
if (!length(sets)) wrong_input("no gene set has ", parameters$least_genes, " to ", parameters$most_genes,
                               " of the genes: are the names of both of one kind (symbols)?")
results <- if (parameters$method == "gsea") ranked_enrichment(sets, ranked) else over_represented(sets, ranked)
if (is.null(results$padj)) results$padj <- p.adjust(results$p, "BH")
results <- results[order(results$padj, results$p, -abs(results$enrichment)), ]
significant <- results[results$padj < parameters$alpha, ]
tell("Of %s gene sets, %s are enriched with an adjusted p below %s.", counted(nrow(results)),
     counted(nrow(significant)), format(parameters$alpha))
for (row in seq_len(min(5, nrow(significant)))) {
  one <- significant[row, ]
  tell("%s: enrichment %s, adjusted p %s.", one$set, rounded(one$enrichment), p_value(one$padj))
}
write_results(results)
write_figure("sets.png", function() {
  shown <- results[rev(seq_len(min(15, nrow(results)))), ]
  par(mar = c(4.5, 18, 2.5, 1))
  barplot(shown$enrichment, names.arg = substr(shown$set, 1, 45), horiz = TRUE, cex.names = 0.6, border = NA,
          col = ifelse(shown$padj < parameters$alpha, colours[2], "#b0b0b0"), xlab = "enrichment", main = "Gene sets")
})
finish()
