// Learn writes what the assistant learns from its own files: go run ./adapters/assistant/learn
package main

import (
	"log"
	"os"

	"bitacora/adapters/assistant"
)

func main() {
	file, err := assistant.WriteLearned()
	if err == nil {
		err = os.WriteFile("adapters/assistant/learned.bin", file, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
