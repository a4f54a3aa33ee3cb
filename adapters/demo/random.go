package demo

import (
	"math"
	"math/rand/v2"
	"time"
)

// pick draws an index by its weight.
func pick[T int | float64](r *rand.Rand, weights []T) int {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	u := r.Float64() * total
	for i, w := range weights {
		if u -= float64(w); u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func between(r *rand.Rand, from, to time.Duration) time.Duration {
	return (from + time.Duration(r.Float64()*float64(to-from))).Truncate(time.Millisecond)
}

func (l lognormal) draw(r *rand.Rand) float64 {
	return l.median * math.Exp(l.sigma*r.NormFloat64())
}

// seconds draws a duration from a distribution in seconds.
func (l lognormal) seconds(r *rand.Rand) time.Duration {
	return time.Duration(l.draw(r) * float64(time.Second)).Truncate(time.Millisecond)
}

// negativeBinomial draws a count with the given mean and the variance mean + mean²/k.
func negativeBinomial(r *rand.Rand, mean, k float64) float64 {
	return poisson(r, gamma(r, k)*mean/k)
}

// gamma draws from the gamma distribution of shape k ≥ 1 (Marsaglia and Tsang).
func gamma(r *rand.Rand, k float64) float64 {
	d := k - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := math.Pow(1+c*x, 3)
		if v > 0 && math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// poisson draws a count; above 100 the normal distribution is close enough.
func poisson(r *rand.Rand, mean float64) float64 {
	if mean > 100 {
		return max(0, math.Round(mean+math.Sqrt(mean)*r.NormFloat64()))
	}
	n := 0.0
	for p := math.Exp(-mean); ; n++ {
		if p *= 1 / (1 - r.Float64()); p > 1 {
			return n
		}
	}
}
