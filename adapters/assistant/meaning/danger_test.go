package meaning

import (
	"os"
	"testing"

	"bitacora/adapters/assistant/words"
	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/danger"
)

// TestDangerIsHeardOnLinesLeftOut learns without a fifth of the lines, and reads these.
func TestDangerIsHeardOnLinesLeftOut(t *testing.T) {
	enginestest.Long(t)
	files := os.DirFS("../data")
	lines, err := readDangers(files)
	if err != nil {
		t.Fatal(err)
	}
	const parts = 5
	var rest, out []dangerLine
	for i, line := range lines {
		if i%parts == 0 {
			out = append(out, line)
		} else {
			rest = append(rest, line)
		}
	}
	r := &Reader{}
	if r.Language, err = words.Open(files); err != nil {
		t.Fatal(err)
	}
	if r.concepts, err = openConcepts(files); err != nil {
		t.Fatal(err)
	}
	r.danger = trainDanger(r.Language, r.concepts, rest)
	if first := r.judge(lines[0].texts[0]); r.judge(lines[0].texts[0]) != first {
		t.Error("a text is classified twice")
	}
	heard, dangers, alarms, others := 0, 0, map[int]int{}, map[int]int{}
	for _, line := range out {
		_, likely, unlikely := r.Danger(line.texts[0])
		found := likely || !unlikely && danger.Read(line.texts[0]).Found()
		switch {
		case line.class < firstDanger:
			others[line.class]++
			if likely {
				alarms[line.class]++
			}
		default:
			dangers++
			if found {
				heard++
			}
		}
	}
	t.Logf("heard %d of %d; false alarms by class: %v of %v", heard, dangers, alarms, others)
	if dangers < 300 || heard*100 < dangers*leastHeardLeftOut {
		t.Errorf("%d of %d dangers were heard", heard, dangers)
	}
	for class, most := range mostAlarms {
		if others[class] == 0 || alarms[class]*1000 > others[class]*most {
			t.Errorf("%d false alarms in %d of class %s", alarms[class], others[class], dangerClasses[class])
		}
	}
}

// leastHeardLeftOut is the percentage of dangers that are heard, mostAlarms the most false alarms of a thousand
// everyday messages, urgencies and others that only sound dangerous.
const leastHeardLeftOut = 90

var mostAlarms = map[int]int{0: 20, 1: 60, 2: 90}
