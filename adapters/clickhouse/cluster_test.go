package clickhouse

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"bitacora/adapters/engines/enginestest"
)

// cluster is the one that the running test is about; nil for a server alone.
var cluster *enginestest.Cluster

var houses atomic.Int64

// ofTests is the cluster that tests start.
var ofTests = Cluster{Name: enginestest.ClusterName}

// openOn gives a house of its own on a cluster.
func openOn(t testing.TB, c *enginestest.Cluster) *DB {
	t.Helper()
	name := fmt.Sprintf("h%d", houses.Add(1))
	db := house(t, strings.TrimSuffix(c.URL, "/bitacora")+"/"+name, ofTests)
	for _, n := range c.Nodes {
		n.Ask(t, "CREATE DATABASE "+name)
		if c == cluster { // which others use, too
			t.Cleanup(func() { n.Ask(t, "DROP DATABASE IF EXISTS "+name+" SYNC") })
		}
	}
	return db
}

// onACluster are the tests of a server alone that a cluster has to pass, too.
var onACluster = map[string]func(*testing.T){
	"TestAnalystStatementsAreRight":                TestAnalystStatementsAreRight,
	"TestWhereUsersCannotBeMadeItIsSaid":           TestWhereUsersCannotBeMadeItIsSaid,
	"TestBlankedTextsLeaveTheDisk":                 TestBlankedTextsLeaveTheDisk,
	"TestEveryTextColumnIsBlanked":                 TestEveryTextColumnIsBlanked,
	"TestNumbersEqualARecountOfTheLog":             TestNumbersEqualARecountOfTheLog,
	"TestEveryTableOfABuildIsWrittenToTheDisk":     TestEveryTableOfABuildIsWrittenToTheDisk,
	"TestTheCorpusBehindTheTables":                 TestTheCorpusBehindTheTables,
	"TestEveryTableIsCompared":                     TestEveryTableIsCompared,
	"TestOneWrongRowIsNamed":                       TestOneWrongRowIsNamed,
	"TestForgettingASubjectLeavesNoRowOfIt":        TestForgettingASubjectLeavesNoRowOfIt,
	"TestWhatIsToBeAnsweredBetterIsListed":         TestWhatIsToBeAnsweredBetterIsListed,
	"TestTranscript":                               TestTranscript,
	"TestASearchMeansItsLettersAndNoPattern":       TestASearchMeansItsLettersAndNoPattern,
	"TestAQuestionEndsWithItsReader":               TestAQuestionEndsWithItsReader,
	"TestTablesKeepTheirPromises":                  TestTablesKeepTheirPromises,
	"TestColumnsArriveWithTheDeclaredTypes":        TestColumnsArriveWithTheDeclaredTypes,
	"TestColumnsHaveTheTypesOfTheirTables":         TestColumnsHaveTheTypesOfTheirTables,
	"TestViewsNeedNoRightsOnABuild":                TestViewsNeedNoRightsOnABuild,
	"TestDashboardQueriesRunUnchangedOnTheViews":   TestDashboardQueriesRunUnchangedOnTheViews,
	"TestQuestionsAboutACohortMeanTheSameOne":      TestQuestionsAboutACohortMeanTheSameOne,
	"TestTheDictionaryTellsEveryFilter":            TestTheDictionaryTellsEveryFilter,
	"TestThePeriodOfTheCohortIsInUTC":              TestThePeriodOfTheCohortIsInUTC,
	"TestTheCohortRefusesAFilterThatItDoesNotKnow": TestTheCohortRefusesAFilterThatItDoesNotKnow,
	"TestDaysThatAreNoneAreRefused":                TestDaysThatAreNoneAreRefused,
	"TestDaysAndInstantsMeanTheSameCohort":         TestDaysAndInstantsMeanTheSameCohort,
	"TestFreshnessIsThatOfTheLiveBuild":            TestFreshnessIsThatOfTheLiveBuild,
	"TestMetricsAreTheDashboardsNumbers":           TestMetricsAreTheDashboardsNumbers,
	"TestFewRatingsDoNotOutrankMany":               TestFewRatingsDoNotOutrankMany,
	"TestDailyCountsAreThoseOfTheCohort":           TestDailyCountsAreThoseOfTheCohort,
	"TestTheLast30DaysAre30":                       TestTheLast30DaysAre30,
	"TestViewsSayWhatTheLogSays":                   TestViewsSayWhatTheLogSays,
	"TestWorkedQuestionsRun":                       TestWorkedQuestionsRun,
	"TestDictionaryTellsEveryColumn":               TestDictionaryTellsEveryColumn,
	"TestEveryColumnOfABuildHasAComment":           TestEveryColumnOfABuildHasAComment,
	"TestViewsFollowTheLiveBuild":                  TestViewsFollowTheLiveBuild,
	"TestBatchesTwiceAndShuffledGiveTheSameTables": TestBatchesTwiceAndShuffledGiveTheSameTables,
	"TestWritersBesideEachOtherGiveTheSameTables":  TestWritersBesideEachOtherGiveTheSameTables,
	"TestOneBatchMaySpanManyMonths":                TestOneBatchMaySpanManyMonths,
	"TestWritingIntoNoBuildIsAnError":              TestWritingIntoNoBuildIsAnError,
	"TestTheFirstQuestionIsMoreThanAGreeting":      TestTheFirstQuestionIsMoreThanAGreeting,
	"TestParquetContainsTheRowsOfAnExport":         TestParquetContainsTheRowsOfAnExport,
	"TestMonthsContainEveryRow":                    TestMonthsContainEveryRow,
	"TestViewsRefuseQuestionsOfBefore":             TestViewsRefuseQuestionsOfBefore,
}

// notOnACluster are the others, and why.
var notOnACluster = map[string]string{
	"TestViewsReadOneRangeOfTheKey":  "an explanation does not reach to the shards",
	"TestNoQuestionReadsTwoBuilds":   "an explanation does not reach to the shards",
	"TestDailyViewsReadWhatTheyShow": "a share of the rows lies in too few blocks to show a difference",
}

func TestACluster(t *testing.T) {
	enginestest.Long(t)
	cluster = enginestest.StartCluster(t, 2, 2)
	defer func() { cluster = nil }()
	// Of what rapid draws, one server gets the usual number.
	checks := flag.Lookup("rapid.checks").Value
	defer func(usual string) { _ = checks.Set(usual) }(checks.String())
	if err := checks.Set("5"); err != nil {
		t.Fatal(err)
	}
	for name, promise := range onACluster {
		t.Run(name, promise)
	}
}

// Every test that opens a house is one of a cluster, too.
func TestAClusterHasAllTests(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{\n(?:\t.*\n|\n)*?\tdb := open\(t\)`).FindAllSubmatch(text, -1) {
			found++
			if onACluster[string(test[1])] == nil && notOnACluster[string(test[1])] == "" {
				t.Errorf("%s is not tried on a cluster", test[1])
			}
		}
	}
	if found < len(onACluster)-2 {
		t.Errorf("%d tests open a house, %d are tried on a cluster", found, len(onACluster))
	}
}
