package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// funnel has the visits, opened chats, conversations, consents, leads and appointments of each day.
func (r *recount) funnel() sums {
	s := sums{}
	for day, n := range r.daily() {
		s.add(day, n[0], n[0], n[0], n[1], n[2], n[3])
	}
	for _, v := range r.tabs {
		if !v.talkedIn {
			s.add(r.date(v.started), 1, v.byVisitor, 0, 0, 0, 0)
		}
	}
	return s
}

func (r *recount) busiestHours() []string {
	began, means := map[string]float64{}, lists{}
	for _, t := range r.talks {
		began[key(t.day, t.ConversationStartedAt.In(r.zone).Hour())]++
	}
	for _, day := range spine(r.ago(56), r.ago(1)) {
		for hour := range 24 {
			means.add(key(weekday(day), hour), began[key(day, hour)])
		}
	}
	var list []ranked
	for at, counts := range means {
		by := rounded(mean(counts), 2)
		weekday, hour, _ := strings.Cut(at, "\t")
		list = append(list, ranked{by, fmt.Sprintf("%s%2s", weekday, hour), row(at, by, slices.Max(counts))})
	}
	return top(20, list)
}

func (r *recount) seasonality() (rows []string) {
	counts, means := map[string]lists{}, lists{}
	for day, n := range r.daily().where(func(day string) bool { return day < r.today }) {
		if counts[month(day)] == nil {
			counts[month(day)] = lists{}
		}
		counts[month(day)].add(weekdayText(day), float64(n[0]))
	}
	for month, weekdays := range counts {
		for _, list := range weekdays {
			means.add(month, rounded(mean(list), 1))
		}
		for weekday, list := range weekdays {
			own := rounded(mean(list), 1)
			rows = append(rows, row(month, weekday, len(list), own, rounded(own/mean(means[month]), 2)))
		}
	}
	return rows
}

func (r *recount) anomalies() []string {
	daily, earlier := r.daily(), lists{}
	var list []ranked
	for _, day := range spine(r.first(), r.ago(1)) {
		n, of := float64(daily[day][0]), weekdayText(day)
		before := earlier[of][max(0, len(earlier[of])-8):]
		earlier.add(of, n)
		if len(before) < 4 {
			continue
		}
		expected, squares := mean(before), 0.0
		for _, one := range before {
			squares += (one - expected) * (one - expected)
		}
		deviations := rounded((n-expected)/max(math.Sqrt(squares/float64(len(before)-1)), 1), 1)
		list = append(list, ranked{math.Abs(deviations), day, row(day, n, rounded(expected, 1), deviations)})
	}
	return top(10, list)
}

func (r *recount) growingTopics() []string {
	byTopic, all := sums{}, sums{"": {0, 0}}
	for _, t := range r.talks {
		if t.day < r.ago(59) {
			continue
		}
		lately := t.day >= r.ago(29)
		all.add("", lately, !lately)
		for _, topic := range t.topicsOrNone() {
			byTopic.add(topic, lately, !lately)
		}
	}
	grown := byTopic.where(func(topic string) bool { return byTopic[topic][0]+byTopic[topic][1] >= 5 })
	return grown.rows(func(n []int) []any { return []any{n[0], n[1], percent(n[0], all[""][0]), percent(n[1], all[""][1])} })
}

func (r *recount) unansweredQuestions() []string {
	times, latest := sums{}, map[string]time.Time{}
	plain := strings.NewReplacer("¿", "", "?", "", "¡", "", "!", "", ".", "", ",", "", "á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u")
	for _, t := range r.talks {
		for i, l := range t.said[:len(t.said)-1] {
			if next := t.said[i+1].reply; l.reply == nil && l.text != "" && next != nil && !next.Answered {
				question := escaped(strings.Trim(plain.Replace(strings.ToLower(l.text)), " "))
				times.add(question, 1)
				if l.at.After(latest[question]) {
					latest[question] = l.at
				}
			}
		}
	}
	var list []ranked
	for question, n := range times {
		list = append(list, ranked{float64(n[0]), question, row(question, n[0], r.instant(latest[question]))})
	}
	return top(20, list)
}

var (
	maskOfText = regexp.MustCompile(`\[[^\]]*\]`)
	wordOfText = regexp.MustCompile(`[a-záéíóúüñ]+`)
	stopWords  = strings.Fields(`de la el los las un una y o a en que qué me mi por para con si no es
		lo se su al del le hola gracias buenos buenas días tardes quiero quisiera tengo`)
)

func (r *recount) wordPairs() []string {
	s := sums{}
	for _, t := range r.talks {
		for _, l := range t.said {
			if l.reply != nil {
				continue
			}
			words := wordOfText.FindAllString(strings.ToLower(maskOfText.ReplaceAllString(l.text, " ")), -1)
			words = slices.DeleteFunc(words, func(word string) bool { return slices.Contains(stopWords, word) })
			for i := 1; i < len(words); i++ {
				s.add(words[i-1]+" "+words[i], 1)
			}
		}
	}
	return s.top(30)
}

func (r *recount) confidence() []string {
	counts, second := sums{}, lists{}
	for p := range r.replies() {
		if p.Confidence == 0 {
			continue
		}
		atLeast := decimal(float64(int(float32(p.Confidence)*10)) / 10)
		counts.add(atLeast, 1, !p.Answered)
		if p.RunnerUpConfidence > 0 {
			second.add(atLeast, stored(p.RunnerUpConfidence))
		}
	}
	return counts.keyed(func(atLeast string, n []int) []any {
		list := second[atLeast]
		return []any{n[0], percent(n[1], n[0]), orNull(len(list) > 0, decimal(rounded(mean(list), 2)))}
	})
}

func (r *recount) latency() (rows []string) {
	tokens, millis := sums{}, lists{}
	for p, l := range r.replies() {
		of := key(monday(r.date(l.at)), p.Model)
		tokens.add(of, p.TokensIn+p.TokensOut, p.TokensIn > 0 && p.TokensOut > 0)
		if p.LatencyMillis > 0 {
			millis.add(of, float64(p.LatencyMillis))
		}
	}
	return tokens.keyed(func(of string, n []int) []any {
		list, quantiles := slices.Sorted(slices.Values(millis[of])), "[0,0]"
		if len(list) > 0 {
			quantiles = fmt.Sprintf("[%v,%v]", list[len(list)/2], list[len(list)*95/100])
		}
		return []any{len(list), quantiles, orNull(n[1] > 0, n[0])}
	})
}

func (r *recount) beforeAndAfter() (rows []string) {
	for _, taught := range r.taught {
		var before, after, unansweredBefore, unansweredAfter, given int
		for p, l := range r.replies() {
			switch fourteen := 14 * 24 * time.Hour; {
			case l.at.Before(taught.at.Add(-fourteen)), l.at.After(taught.at.Add(fourteen)):
			case l.at.Before(taught.at):
				before, unansweredBefore = before+1, unansweredBefore+digit(!p.Answered)
			default:
				after, unansweredAfter, given = after+1, unansweredAfter+digit(!p.Answered), given+digit(p.Answer == taught.slug)
			}
		}
		if before+after > 0 {
			rows = append(rows, row(taught.slug, taught.version, r.instant(taught.at), before, after, percent(unansweredBefore, before), percent(unansweredAfter, after), given))
		}
	}
	return rows
}

func (r *recount) forecast() []string {
	used, lately, known := 0, 0, 0
	for day, n := range r.daily() {
		if day >= month(r.today) {
			used += n[0]
		}
		if day >= r.ago(14) && day < r.today {
			lately += n[0]
		}
	}
	for _, limit := range r.limits {
		known = max(known, limit)
	}
	aDay, reached := rounded(float64(lately)/14, 1), null
	if known > used && aDay > 0 {
		reached = shift(r.today, int(math.Ceil(float64(known-used)/aDay)))
	}
	left := len(spine(r.today, shift(month(shift(month(r.today), 31)), -1))) - 1
	return []string{row(used, aDay, rounded(float64(used)+aDay*float64(left), 0), known, reached)}
}
