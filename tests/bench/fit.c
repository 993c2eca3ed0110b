/* How fast a fit of patterns comes to its minimum: our minimiser beside plain L-BFGS and plain
 * Adam, which see the same positions, priors and starting weights through the same exact passes.
 *
 *     mpirun -n 2 bench_fit [--rules R] [--windows W|none] [--pattern-prior P] [--tolerance T]
 *                           [--passes N] [--merge 0|1] [--per-game N] [--share S] [--scratch D]
 *                           {--method ours|lbfgs | --adam RATE}... SHARD...
 *
 * Each line of a curve: method, passes over the training positions, seconds in the method and of
 * these on the processor (first rank), value (mean log loss plus priors); behind it the loss on the
 * games held out, which are the same whatever training positions are chosen. Last, against the
 * least value that any method came to: passes and seconds until it was within 1e-5. The gradient is
 * checked first, by differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/base/clock.h"
#include "tuner/fit/load.h"
#include "tuner/fit/penalised.h"

enum { SHARDS_MAX = 256, CURVE_MAX = 4096, METHODS_MAX = 8, PAIRS = 10 };

static const double WITHIN = 1e-5;

enum kind { OURS, LBFGS, ADAM };

struct method {
    enum kind kind;
    double rate; /* of Adam: hundredths of a man a step */
};

struct curve {
    int points;
    int pass[CURVE_MAX];
    double second[CURVE_MAX], cpu[CURVE_MAX], value[CURVE_MAX];
};

struct bench {
    struct comm comm;
    struct comm_team ranks;
    const struct variant *variant;
    struct fit_settings settings;
    struct dataset_filter filter;
    const char *windows; /* name of the set; "none" */
    struct method method[METHODS_MAX];
    int methods;
    const char *path[SHARDS_MAX];
    int shards;
    struct dataset dataset;
    struct penalised penalised;
    struct curve curve[METHODS_MAX];
    int present;             /* the method that runs */
    double began, cpu_began; /* when it began, and the processor's time then */
};

static void or_end(const struct bench *bench, bool ok, struct err *err)
{
    if (!comm_agree(&bench->comm, ok, err)) {
        if (bench->comm.rank == 0) {
            fprintf(stderr, "bench_fit: %s\n", err->text);
        }
        comm_finish();
        exit(EXIT_FAILURE);
    }
}

static const char *name_of(const struct method *method, char name[32])
{
    static const char *const NAMES[] = {"ours", "lbfgs", "adam"};
    if (method->kind == ADAM) {
        snprintf(name, 32, "adam %g", method->rate);
    } else {
        snprintf(name, 32, "%s", NAMES[method->kind]);
    }
    return name;
}

/* Seconds of processor time that this rank has used. */
static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Notes a point of the curve and prints it. */
static void note(struct bench *bench, int pass, double value)
{
    struct curve *curve = &bench->curve[bench->present];
    char name[32];
    int k = curve->points < CURVE_MAX ? curve->points++ : CURVE_MAX - 1;
    curve->pass[k] = pass;
    curve->second[k] = clock_seconds() - bench->began;
    curve->cpu[k] = cpu_seconds() - bench->cpu_began;
    curve->value[k] = value;
    if (bench->comm.rank == 0) {
        printf("%s %d %.3f %.3f %.8f\n", name_of(&bench->method[bench->present], name), pass,
               curve->second[k], curve->cpu[k], value);
        fflush(stdout);
    }
}

static bool evaluate(void *context, const double *x, double *value, double *gradient)
{
    struct bench *bench = context;
    return penalised_evaluate(&bench->penalised, x, value, gradient);
}

static void precondition(void *context, double *v)
{
    struct bench *bench = context;
    penalised_precondition(&bench->penalised, v);
}

static bool accepted(void *context, const double *x, const struct lbfgs_point *point)
{
    (void)x;
    note(context, point->evaluations, point->value);
    return true;
}

static double *numbers(const struct bench *bench, size_t count)
{
    double *list = calloc(count + 1, sizeof *list);
    struct err err = {0};
    or_end(bench, list != NULL || err_set(&err, ERR_FAILED, "out of memory"), &err);
    return list;
}

static void print_held_out(struct bench *bench, const double *theta)
{
    double loss;
    objective_loss(&bench->penalised.objective, DATASET_HELD_OUT, theta, bench->penalised.scale,
                   &loss);
    if (bench->comm.rank == 0) {
        printf("# held out: %.6f\n", loss);
    }
}

static void run_lbfgs(struct bench *bench, bool preconditioned)
{
    struct spread *spread = &bench->penalised.objective.spread;
    struct lbfgs_problem problem = {.spread = spread,
                                    .context = bench,
                                    .evaluate = evaluate,
                                    .precondition = preconditioned ? precondition : NULL,
                                    .accepted = accepted};
    /* what a step of the plain method promises to gain says little: it goes on to the last pass */
    struct lbfgs_settings settings = {PAIRS, bench->settings.passes_max,
                                      preconditioned ? bench->settings.tolerance : 0};
    double *theta = numbers(bench, spread_count(spread));
    double *workspace = numbers(bench, lbfgs_workspace(spread_count(spread), PAIRS));
    penalised_start(&bench->penalised, theta);
    enum lbfgs_stop stop = lbfgs_minimise(&problem, &settings, theta, workspace, NULL).stop;
    if (bench->comm.rank == 0) {
        printf("# %s\n", lbfgs_stop_text(stop));
    }
    print_held_out(bench, theta);
    free(theta);
    free(workspace);
}

/* Full-batch Adam (Kingma and Ba, 2015) with its usual constants. */
static void run_adam(struct bench *bench, double rate)
{
    size_t n = spread_count(&bench->penalised.objective.spread);
    double *theta = numbers(bench, n), *gradient = numbers(bench, n);
    double *mean = numbers(bench, n), *square = numbers(bench, n), value;
    double first = 1, second = 1;
    penalised_start(&bench->penalised, theta);
    for (int pass = 1; pass <= bench->settings.passes_max; pass++) {
        evaluate(bench, theta, &value, gradient);
        note(bench, pass, value);
        first *= 0.9;
        second *= 0.999;
        for (size_t i = 0; i < n; i++) {
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
            square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
            theta[i] -= rate * mean[i] / (1 - first) / (sqrt(square[i] / (1 - second)) + 1e-12);
        }
    }
    print_held_out(bench, theta);
    free(theta);
    free(gradient);
    free(mean);
    free(square);
}

/* The derivative along a direction, by the gradient and by differences. */
static void check_gradient(struct bench *bench)
{
    struct spread *spread = &bench->penalised.objective.spread;
    size_t n = spread_count(spread);
    double *theta = numbers(bench, n), *gradient = numbers(bench, n), *to = numbers(bench, n);
    double *other = numbers(bench, n), value, high, low;
    const double step = 0.5;
    struct err err = {0};
    penalised_start(&bench->penalised, theta);
    evaluate(bench, theta, &value, gradient);
    for (size_t i = 0; i < n; i++) {
        to[i] = (double)((spread_first(spread) + i) * 7 % 5) - 2;
    }
    double slope = spread_dot(spread, gradient, to);
    for (size_t i = 0; i < n; i++) {
        theta[i] += step * to[i];
    }
    evaluate(bench, theta, &high, other);
    for (size_t i = 0; i < n; i++) {
        theta[i] -= 2 * step * to[i];
    }
    evaluate(bench, theta, &low, other);
    double seen = (high - low) / (2 * step);
    or_end(bench,
           fabs(seen - slope) <= 1e-6 + 0.01 * fabs(slope) ||
               err_set(&err, ERR_FAILED, "the gradient says %g, differences say %g", slope, seen),
           &err);
    free(theta);
    free(gradient);
    free(to);
    free(other);
}

static void load(struct bench *bench)
{
    struct load_input input[SHARDS_MAX];
    struct weights weights;
    struct err err = {0};
    bool ok = true, stopped;
    double began = clock_seconds();
    weights_builtin(bench->variant->rules, &weights);
    for (int k = 0; ok && k < bench->shards; k++) {
        struct shard_info info;
        struct shard *shard = shard_open(bench->path[k], bench->variant, &info, &err);
        ok = shard != NULL;
        shard_close(shard);
        input[k] =
            (struct load_input){bench->path[k], ok ? info.rows : 0, ok ? info.hash : 0, &weights};
    }
    or_end(bench, ok, &err);
    ok = load_dataset(&bench->ranks, NULL, bench->variant, &bench->filter, input,
                      (size_t)bench->shards, &bench->dataset, &stopped, &err);
    or_end(bench, ok, &err);
    int64_t sums[4] = {bench->dataset.counts.rows, bench->dataset.counts.positions[DATASET_TRAIN],
                       bench->dataset.counts.positions[DATASET_HELD_OUT],
                       dataset_bytes(&bench->dataset)};
    comm_sum(&bench->comm, sums, 4);
    if (bench->comm.rank == 0) {
        printf("# %d ranks; %lld rows, %lld training positions, %lld held out, %.1f bytes each, "
               "loaded in %.1f s\n",
               bench->comm.size, (long long)sums[0], (long long)sums[1], (long long)sums[2],
               (double)sums[3] / (double)(sums[1] + sums[2]), clock_seconds() - began);
    }
}

/* K, patterns and curvature: what all methods begin with. */
static void prepare(struct bench *bench)
{
    struct penalised *penalised = &bench->penalised;
    struct err err = {0};
    double began = clock_seconds();
    struct team team = comm_team(&bench->ranks);
    or_end(bench, penalised_init(penalised, &bench->dataset, &bench->settings, &team, &err), &err);
    const struct rules *rules = bench->variant->rules;
    struct weights weights;
    weights_builtin(rules, &weights);
    for (int i = 0; i < feature_count(rules); i++) {
        penalised->start[2 * i] = weights.opening[i];
        penalised->start[2 * i + 1] = weights.ending[i];
    }
    or_end(bench,
           objective_scale(&penalised->objective, penalised->start, &penalised->scale, &err) &&
               penalised_prepare(penalised, &err),
           &err);
    if (bench->comm.rank == 0) {
        printf("# K %.4f; %d weights, of %d patterns; K and curvature in %.1f s (3 passes)\n",
               penalised->scale, penalised->objective.dimensions, penalised->objective.patterns,
               clock_seconds() - began);
    }
    check_gradient(bench);
}

static void run(struct bench *bench)
{
    for (bench->present = 0; bench->present < bench->methods; bench->present++) {
        const struct method *method = &bench->method[bench->present];
        bench->began = clock_seconds();
        bench->cpu_began = cpu_seconds();
        if (method->kind == ADAM) {
            run_adam(bench, method->rate);
        } else {
            run_lbfgs(bench, method->kind == OURS);
        }
    }
}

static void print_summary(const struct bench *bench)
{
    double least = INFINITY;
    char name[32];
    for (int k = 0; k < bench->methods; k++) {
        for (int i = 0; i < bench->curve[k].points; i++) {
            least = bench->curve[k].value[i] < least ? bench->curve[k].value[i] : least;
        }
    }
    printf("# least value %.8f\n", least);
    for (int k = 0; k < bench->methods; k++) {
        const struct curve *curve = &bench->curve[k];
        int i = 0;
        while (i < curve->points && curve->value[i] > least + WITHIN) {
            i++;
        }
        name_of(&bench->method[k], name);
        if (i < curve->points) {
            printf("# %s: within 1e-5 after %d passes, %.1f s (%.1f s of processor a rank)\n", name,
                   curve->pass[i], curve->second[i], curve->cpu[i]);
        } else {
            printf("# %s: not within 1e-5 after %d passes, %.1f s: %.2g away\n", name,
                   curve->pass[i - 1], curve->second[i - 1], curve->value[i - 1] - least);
        }
    }
}

/* The largest memory of any rank, and of all together. */
static void print_memory(const struct bench *bench)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    int64_t most = comm_max(&bench->comm, usage.ru_maxrss), sum = usage.ru_maxrss;
    comm_sum(&bench->comm, &sum, 1);
    if (bench->comm.rank == 0) {
        printf("# memory: %.0f MB at most on a rank, %.0f MB on all\n", (double)most / 1024,
               (double)sum / 1024);
    }
}

static void add_method(struct bench *bench, enum kind kind, double rate)
{
    if (bench->methods < METHODS_MAX) {
        bench->method[bench->methods++] = (struct method){kind, rate};
    }
}

static bool take_option(struct bench *bench, const char *name, const char *value)
{
    if (strcmp(name, "--rules") == 0) {
        bench->variant = variant_by_name(value, NULL);
    } else if (strcmp(name, "--windows") == 0) {
        bench->windows = value;
    } else if (strcmp(name, "--merge") == 0) {
        bench->filter.merge = atoi(value) != 0;
    } else if (strcmp(name, "--scratch") == 0) {
        bench->filter.scratch = value;
    } else if (strcmp(name, "--per-game") == 0) {
        bench->filter.per_game = atoi(value);
    } else if (strcmp(name, "--share") == 0) {
        bench->filter.share = atof(value);
    } else if (strcmp(name, "--pattern-prior") == 0) {
        bench->settings.pattern_prior = atof(value);
    } else if (strcmp(name, "--tolerance") == 0) {
        bench->settings.tolerance = atof(value);
    } else if (strcmp(name, "--passes") == 0) {
        bench->settings.passes_max = atoi(value);
    } else if (strcmp(name, "--adam") == 0) {
        add_method(bench, ADAM, atof(value));
    } else if (strcmp(name, "--method") == 0) {
        add_method(bench, strcmp(value, "ours") == 0 ? OURS : LBFGS, 0);
    } else {
        return false;
    }
    return bench->variant != NULL;
}

static bool take_arguments(struct bench *bench, int argc, char *argv[])
{
    for (int k = 1; k < argc; k++) {
        if (strncmp(argv[k], "--", 2) == 0) {
            if (k + 1 == argc || !take_option(bench, argv[k], argv[k + 1])) {
                return false;
            }
            k++;
        } else if (bench->shards < SHARDS_MAX) {
            bench->path[bench->shards++] = argv[k];
        }
    }
    return bench->shards > 0 && bench->methods > 0 && bench->settings.passes_max > 0;
}

int main(int argc, char *argv[])
{
    static struct bench bench;
    bench.comm = comm_start(&argc, &argv);
    bench.ranks.comm = &bench.comm;
    bench.variant = &variant_international;
    bench.filter = (struct dataset_filter){.holdout = 10, .merge = true};
    bench.windows = "6x2";
    bench.settings = (struct fit_settings){.prior = 0.5,
                                           .pattern_prior = 0.7,
                                           .pattern_rare = 10,
                                           .pattern_least = 1,
                                           .tolerance = 1e-6,
                                           .passes_max = 100};
    if (!take_arguments(&bench, argc, argv)) {
        fprintf(stderr, "usage: bench_fit [--rules R] [--windows W|none] [--pattern-prior P] "
                        "[--tolerance T] [--passes N] [--merge 0|1] [--per-game N] [--share S] "
                        "[--scratch DIRECTORY] {--method ours|lbfgs | --adam RATE}... "
                        "SHARD...\n");
        return 2;
    }
    bench.settings.windows = variant_pattern_set(bench.variant, bench.windows);
    load(&bench);
    prepare(&bench);
    run(&bench);
    if (bench.comm.rank == 0) {
        print_summary(&bench);
    }
    print_memory(&bench);
    penalised_fini(&bench.penalised);
    dataset_fini(&bench.dataset);
    comm_finish();
    return EXIT_SUCCESS;
}
