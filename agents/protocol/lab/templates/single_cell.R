# Single cell: clusters of cells by principal components, a graph of shared nearest neighbours and Louvain's method
# (igraph), and the genes that mark each cluster (Wilcoxon's test against all other cells).
source(file.path("in", "pestle.R"))
suppressPackageStartupMessages(library(igraph))

values <- read_numbers(parameters$expression)
if (ncol(values) > 6000) wrong_input("more than 6,000 cells: this analysis holds all distances in memory")
counted_cells <- all(values >= 0) && all(values == round(values))
if (counted_cells) {
  values <- values[, colSums(values > 0) >= parameters$least_genes, drop = FALSE]
  values <- log1p(t(t(values) / colSums(values)) * 1e4)
}
spread <- apply(values, 1, var)
variable <- head(order(-spread), parameters$variable_genes)
values <- values[spread > 0, , drop = FALSE]
components <- prcomp(t(values[intersect(rownames(values), names(spread)[variable]), ]), scale. = TRUE,
                     rank. = min(parameters$components, ncol(values) - 1))$x

# Cells that share nearest neighbours are tied, the more the stronger (Jaccard).
distances <- as.matrix(dist(components))
neighbours <- t(apply(distances, 1, order))[, seq_len(parameters$neighbours + 1)]
member <- matrix(0, nrow(neighbours), nrow(neighbours))
member[cbind(rep(seq_len(nrow(neighbours)), ncol(neighbours)), as.vector(neighbours))] <- 1
shared <- tcrossprod(member)
ties <- shared / (2 * ncol(neighbours) - shared)
ties[ties < 1 / 15] <- 0
graph <- graph_from_adjacency_matrix(ties, mode = "undirected", weighted = TRUE, diag = FALSE)
cluster <- membership(cluster_louvain(graph, resolution = parameters$resolution))
cluster <- as.integer(factor(cluster, names(sort(table(cluster), decreasing = TRUE))))
tell("%s cells fall into %d clusters.", counted(length(cluster)), max(cluster))

cells <- data.frame(cell = colnames(values), cluster = cluster, components[, 1:2])
if (parameters$labels != "") {
  labels <- read_any(parameters$labels)
  cells$label <- labels$label[match(cells$cell, labels$cell)]
  pairs <- function(n) sum(n * (n - 1) / 2)
  both <- table(cells$cluster, cells$label)
  chance <- pairs(rowSums(both)) * pairs(colSums(both)) / pairs(sum(both))
  agreement <- (pairs(both) - chance) / ((pairs(rowSums(both)) + pairs(colSums(both))) / 2 - chance)
  tell("Agreement of the clusters with the given labels: adjusted Rand index %s.", rounded(agreement))
}
write_table(cells, "cells.csv")

marks <- do.call(rbind, lapply(seq_len(max(cluster)), function(number) {
  inside <- cluster == number
  difference <- rowMeans(values[, inside, drop = FALSE]) - rowMeans(values[, !inside, drop = FALSE])
  best <- head(order(-difference), 50)
  p <- apply(values[best, , drop = FALSE], 1, function(one) wilcox.test(one[inside], one[!inside], exact = FALSE)$p.value)
  data.frame(cluster = number, gene = rownames(values)[best], difference = difference[best], p = p,
             padj = pmin(1, p * nrow(values)))
}))
marks <- marks[order(marks$cluster, marks$p), ]
for (number in seq_len(max(cluster))) {
  tell("Cluster %d, %s cells: marked by %s.", number, counted(sum(cluster == number)),
       paste(head(marks$gene[marks$cluster == number], 5), collapse = ", "))
}
write_results(marks)
write_figure("cells.png", function() {
  shades <- hcl.colors(max(cluster), "Dark 3")
  plot(cells[, c("PC1", "PC2")], pch = 20, cex = 0.7, col = shades[cluster], main = "Cells",
       xlab = "component 1", ylab = "component 2")
  legend("topright", legend = seq_len(max(cluster)), col = shades, pch = 20, bty = "n", cex = 0.7)
})
finish()
