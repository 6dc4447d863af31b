# Immune infiltration: a score of each cell type in each sample, the mean of the standardised logarithms of its
# marker genes (as Danaher 2017); compared between two groups by Wilcoxon's test where groups are given.
source(file.path("in", "pestle.R"))

values <- read_numbers(parameters$expression)
compared <- parameters$samples != ""
samples <- if (compared) read_samples(values) else data.frame(sample = colnames(values))
values <- values[, samples$sample, drop = FALSE]
values <- one_per_name(values, toupper(symbols_of(rownames(values))))
if (max(values) > 50) values <- log2(pmax(values, 0) + 1)
values <- values[apply(values, 1, var) > 0, , drop = FALSE]
markers <- read_any(parameters$markers)
markers <- split(toupper(markers$gene), markers$cell_type)
markers <- lapply(markers, intersect, rownames(values))
few <- names(markers)[lengths(markers) < parameters$least_markers]
if (length(few)) tell("Left out, with fewer than %d markers measured: %s.", parameters$least_markers,
                      paste(few, collapse = ", "))
markers <- markers[lengths(markers) >= parameters$least_markers]
if (!length(markers)) wrong_input("no cell type has enough markers: are the names of genes symbols?")

scaled <- t(scale(t(values)))
scores <- t(vapply(markers, function(genes) colMeans(scaled[genes, , drop = FALSE]), numeric(ncol(values))))
write_table(cbind(cell_type = rownames(scores), as.data.frame(scores)), "scores.csv")
tell("%d cell types were scored in %d samples.", nrow(scores), ncol(scores))
results <- data.frame(cell_type = rownames(scores), markers = lengths(markers)[rownames(scores)])
if (compared) {
  other <- samples$group == "other"
  results$difference <- rowMeans(scores[, other, drop = FALSE]) - rowMeans(scores[, !other, drop = FALSE])
  results$p <- apply(scores, 1, function(one) wilcox.test(one[other], one[!other], exact = FALSE)$p.value)
  results$padj <- p.adjust(results$p, "BH")
  results <- results[order(results$p), ]
  for (row in which(results$padj < parameters$alpha)) {
    one <- results[row, ]
    tell("%s: score %s in %s by %s, adjusted p %s.", one$cell_type, if (one$difference > 0) "higher" else "lower",
         parameters$other, rounded(abs(one$difference)), p_value(one$padj))
  }
  if (!any(results$padj < parameters$alpha)) tell("No cell type differs with an adjusted p below %s.",
                                                  format(parameters$alpha))
}
write_results(results)
write_figure("scores.png", function() {
  par(mar = c(7, 10, 2.5, 1))
  order <- if (compared) order(samples$group) else seq_len(ncol(scores))
  image(seq_len(ncol(scores)), seq_len(nrow(scores)), t(scores[, order, drop = FALSE]), axes = FALSE, xlab = "",
        ylab = "", col = hcl.colors(31, "Blue-Red"), main = "Scores of cell types")
  axis(1, seq_len(ncol(scores)), samples$sample[order], las = 2, cex.axis = 0.5)
  axis(2, seq_len(nrow(scores)), rownames(scores), cex.axis = 0.7)
})
finish()
