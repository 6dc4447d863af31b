# Survival: Kaplan-Meier curves with the log-rank test, and Cox models of one variable and of all (survival package).
source(file.path("in", "pestle.R"))
suppressPackageStartupMessages(library(survival))

table <- read_any(parameters$table)
time <- suppressWarnings(as.numeric(table[[parameters$time]]))
state <- table[[parameters$event]]
event <- if (is.numeric(state)) state == as.numeric(parameters$event_is) else state == parameters$event_is
known <- !is.na(time) & !is.na(event)
if (!any(known & event)) wrong_input("no event: ", parameters$event, " is never ", parameters$event_is)
outcome <- Surv(time, event)
tell("%s subjects with a time, %s of them with the event.", counted(sum(known)), counted(sum(event[known])))

# Categories where there are words or few whole numbers (if asked), a number else.
variable <- function(name) {
  values <- table[[name]]
  if (!is.character(values) && !name %in% parameters$categories) return(as.numeric(values))
  found <- factor(values)
  if (name == parameters$group && parameters$reference %in% levels(found)) relevel(found, parameters$reference) else found
}

# Hazard ratios of a fitted Cox model with 95 % intervals.
ratios <- function(fitted, model) {
  told <- summary(fitted)
  data.frame(model = model, variable = rownames(told$coefficients), n = fitted$n, events = fitted$nevent,
             hazard_ratio = told$conf.int[, 1], lower = told$conf.int[, 3], upper = told$conf.int[, 4],
             p = told$coefficients[, ncol(told$coefficients)])
}

names <- unique(c(parameters$group, parameters$covariates))
names <- names[names != ""]
variables <- as.data.frame(lapply(setNames(names, names), variable), check.names = FALSE)
found <- do.call(rbind, lapply(names, function(name) {
  one <- variables[name]
  ratios(coxph(outcome ~ ., data = one, ties = "efron"), paste("alone:", name))
}))
if (length(names) > 1) {
  together <- coxph(outcome ~ ., data = variables, ties = "efron")
  found <- rbind(found, ratios(together, "together"))
}
for (row in seq_len(nrow(found))) {
  one <- found[row, ]
  tell("Cox model (%s): hazard ratio of %s %s (95%% interval %s to %s), p %s.", one$model, gsub("`", "", one$variable),
       rounded(one$hazard_ratio), rounded(one$lower), rounded(one$upper), p_value(one$p))
}
proportional <- cox.zph(coxph(outcome ~ ., data = variables))$table
write_table(data.frame(variable = rownames(proportional), chisq = proportional[, 1], p = proportional[, 3]),
            "proportional.csv")
if (proportional[nrow(proportional), 3] < 0.05) {
  tell("Hazards may not be proportional (test of scaled residuals, p %s): read the hazard ratios as averages over time.",
       p_value(proportional[nrow(proportional), 3]))
}
write_results(found)

# The group as it is drawn: a number is cut at its median.
grouped <- if (parameters$group == "") factor(rep("all", nrow(table))) else variables[[parameters$group]]
if (is.numeric(grouped) && length(unique(na.omit(grouped))) > 5) {
  middle <- median(grouped, na.rm = TRUE)
  grouped <- factor(ifelse(grouped > middle, "above median", "up to median"))
  tell("%s was cut at its median, %s, for the curves.", parameters$group, rounded(middle))
}
grouped <- factor(grouped)
curves <- survfit(outcome ~ grouped)
medians <- as.data.frame(rbind(summary(curves)$table))
write_table(data.frame(group = levels(grouped), n = medians$records, events = medians$events, median = medians$median,
                       lower = medians[["0.95LCL"]], upper = medians[["0.95UCL"]]), "medians.csv")
label <- "Kaplan-Meier curves"
if (nlevels(grouped) > 1) {
  test <- survdiff(outcome ~ grouped)
  p <- pchisq(test$chisq, length(test$n) - 1, lower.tail = FALSE)
  tell("Log-rank test between the groups of %s: chi-squared %s on %d degrees of freedom, p %s.", parameters$group,
       rounded(test$chisq), length(test$n) - 1, p_value(p))
  label <- sprintf("Kaplan-Meier curves, log-rank p %s", p_value(p))
}
write_figure("curves.png", function() {
  plot(curves, col = colours, lwd = 2, mark.time = TRUE, xlab = parameters$time, ylab = "share without the event",
       main = label)
  if (nlevels(grouped) > 1) legend("topright", levels(grouped), col = colours, lwd = 2, bty = "n")
})
finish()
